// Converts colors to sRGB: from an ICC profile with Little CMS, if it is installed, and HDR.
//
// Unsafe code: functions are looked up by name, so that programs do not depend on the library.
// Their types are those of lcms2.h, unchanged since 2.0.

import CRemoteImageCodecs
import Glibc

/// Converts pixels with 8 bits per channel from an RGB, gray or CMYK profile, or HDR, to sRGB.
/// Several threads may use it at the same time.
package final class ColorConversion: @unchecked Sendable {
    // Unchecked: the pointers are set once, and Little CMS only reads the transforms.

    /// The maximum length of a profile, in bytes: 4 MiB, twice that of usual press profiles. Longer
    /// profiles are ignored.
    package static let maxProfileByteCount = 4 << 20
    /// The maximum length of all remembered profiles, except the last one.
    private static let rememberedByteCount = 4 << 20

    /// Loads the library before a process confines itself.
    package static func prepare() { _ = LittleCMS.shared }

    /// Whether the library is installed.
    package static var isAvailable: Bool { LittleCMS.shared != nil }

    private enum Kind {
        case colors(rgb: UnsafeMutableRawPointer, rgba: UnsafeMutableRawPointer)
        /// The sRGB level for each level of gray.
        case gray([UInt8])
        /// Transforms inverted inks to RGB.
        case inks(UnsafeMutableRawPointer)
        case toneMapping(ToneMapping)
    }

    private let kind: Kind

    init(_ toneMapping: ToneMapping) { kind = .toneMapping(toneMapping) }

    /// The conversion for a profile. `nil` if the profile is sRGB or nearly so, if the library is
    /// missing, and if the profile is damaged, too long or of another color space.
    package static func from(_ profile: [UInt8]) -> ColorConversion? {
        guard !profile.isEmpty, profile.count <= maxProfileByteCount, LittleCMS.shared != nil else { return nil }
        let known = cache.withLock { entries -> ColorConversion?? in
            guard let index = entries.firstIndex(where: { $0.profile == profile }) else { return nil }
            let entry = entries.remove(at: index)
            entries.append(entry)
            return entry.conversion
        }
        if let known { return known }
        let conversion = ColorConversion(profile: profile)
        cache.withLock { entries in
            entries.append((profile, conversion))
            while entries.count > 8
                || entries.dropLast().reduce(0, { $0 + $1.profile.count }) > rememberedByteCount
            {
                entries.removeFirst()
            }
        }
        return conversion
    }

    /// The conversion for a profile in memory of C.
    package static func from(_ profile: UnsafeRawPointer?, count: Int) -> ColorConversion? {
        guard let profile, count <= maxProfileByteCount else { return nil }
        return from(Array(UnsafeRawBufferPointer(start: profile, count: count)))
    }

    /// The conversion for the profile of a WebP, which the GdkPixbuf loader does not report.
    package static func ofWebP(_ bytes: [UInt8]) -> ColorConversion? {
        guard let profile = ColorProfile.ofWebP(bytes), profile.count <= maxProfileByteCount else { return nil }
        return from(Array(profile))
    }

    /// Makes libjpeg convert CMYK rows with a CMYK profile. This object owns the transform and must
    /// live until the decode ends. Does nothing for other profiles.
    func convertInks(of request: inout codec_jpeg_request) {
        guard case .inks(let transform) = kind, let library = LittleCMS.shared else { return }
        request.convert_inks = library.doTransform
        request.inks_transform = transform
    }

    /// Converts rows in place. Colors must not be premultiplied; alpha is unchanged. Does nothing
    /// for a CMYK profile, since the decoder has already converted the inks.
    package func apply(to pixels: UnsafeMutableRawPointer, size: PixelSize, channels: Int, stride: Int) {
        switch kind {
        case .toneMapping(let mapping): mapping.apply(to: pixels, size: size, channels: channels, stride: stride)
        case .colors(let rgb, let rgba):
            guard let library = LittleCMS.shared else { return }
            for y in 0..<size.height {
                let row = pixels + y * stride
                library.doTransform(channels == 4 ? rgba : rgb, row, row, UInt32(size.width))
            }
        case .inks: return
        case .gray(let levels):
            let rows = (0..<size.height).map {
                UnsafeMutableRawBufferPointer(start: pixels + $0 * stride, count: size.width * channels)
            }
            // A gray profile does not apply to colored pixels.
            let isGray = rows.allSatisfy { row in
                Swift.stride(from: 0, to: row.count, by: channels).allSatisfy {
                    row[$0] == row[$0 + 1] && row[$0] == row[$0 + 2]
                }
            }
            guard isGray else { return }
            for row in rows {
                for index in Swift.stride(from: 0, to: row.count, by: channels) {
                    let level = levels[Int(row[index])]
                    for channel in 0..<3 { row[index + channel] = level }
                }
            }
        }
    }

    /// The last few profiles, since most images use one of a few. A profile has a conversion if one
    /// is needed and possible.
    private static let cache = Lock<[(profile: [UInt8], conversion: ColorConversion?)]>([])

    // MARK: Profiles

    /// `nil` if the profile is not a valid RGB, gray or CMYK profile, or if it would change no
    /// level by more than 1.
    private init?(profile bytes: [UInt8]) {
        guard let library = LittleCMS.shared, let profile = library.openProfile(bytes, UInt32(bytes.count)) else {
            return nil
        }
        defer { _ = library.closeProfile(profile) }
        guard let standard = library.makeSRGB() else { return nil }
        defer { _ = library.closeProfile(standard) }
        if library.colorSpace(profile) == LittleCMS.grayLevels {
            guard let levels = Self.levels(profile, standard, library) else { return nil }
            kind = .gray(levels)
            return
        }
        if library.colorSpace(profile) == LittleCMS.inks {
            let transform = library.makeTransform(
                profile, LittleCMS.invertedCMYK8, standard, LittleCMS.rgb8, LittleCMS.relativeColorimetric, 0)
            guard let transform else { return nil }
            kind = .inks(transform)
            return
        }
        guard library.colorSpace(profile) == LittleCMS.rgbColors else { return nil }
        func transform(_ format: UInt32) -> UnsafeMutableRawPointer? {
            library.makeTransform(profile, format, standard, format, LittleCMS.relativeColorimetric, 0)
        }
        guard let rgb = transform(LittleCMS.rgb8) else { return nil }
        guard !Self.changesNothing(rgb, library), let rgba = transform(LittleCMS.rgba8) else {
            library.deleteTransform(rgb)
            return nil
        }
        kind = .colors(rgb: rgb, rgba: rgba)
    }

    deinit {
        switch kind {
        case .colors(let first, let second):
            LittleCMS.shared?.deleteTransform(first)
            LittleCMS.shared?.deleteTransform(second)
        case .inks(let transform): LittleCMS.shared?.deleteTransform(transform)
        case .gray, .toneMapping: break
        }
    }

    /// The 256 levels of gray in sRGB.
    private static func levels(
        _ profile: UnsafeMutableRawPointer, _ standard: UnsafeMutableRawPointer, _ library: LittleCMS
    ) -> [UInt8]? {
        // With optimization, Little CMS interpolates between a few levels, with errors of up to 10
        // in dark levels.
        let made = library.makeTransform(
            profile, LittleCMS.gray8, standard, LittleCMS.rgb8, LittleCMS.relativeColorimetric,
            LittleCMS.withoutOptimization)
        guard let made else { return nil }
        defer { library.deleteTransform(made) }
        let grays = (0...255).map { UInt8($0) }
        var colors = [UInt8](repeating: 0, count: 256 * 3)
        library.doTransform(made, grays, &colors, 256)
        let levels = grays.indices.map { colors[$0 * 3 + 1] }
        return zip(grays, levels).allSatisfy { abs(Int($0) - Int($1)) <= 1 } ? nil : levels
    }

    /// Converts 729 colors to find out, since the name of a profile is unreliable.
    private static func changesNothing(_ transform: UnsafeMutableRawPointer, _ library: LittleCMS) -> Bool {
        let levels: [UInt8] = [0, 16, 48, 80, 112, 144, 176, 224, 255]
        let colors = levels.flatMap { red in levels.flatMap { green in levels.flatMap { [red, green, $0] } } }
        var converted = colors
        converted.withUnsafeMutableBytes { memory in
            guard let base = memory.baseAddress else { return }
            library.doTransform(transform, base, base, UInt32(memory.count / 3))
        }
        return zip(colors, converted).allSatisfy { abs(Int($0) - Int($1)) <= 1 }
    }
}

/// The liblcms2 functions in use.
private struct LittleCMS: Sendable {
    typealias Handle = UnsafeMutableRawPointer
    typealias OpenProfile = @convention(c) @Sendable (UnsafeRawPointer?, UInt32) -> Handle?
    typealias CloseProfile = @convention(c) @Sendable (Handle?) -> Int32
    typealias MakeSRGB = @convention(c) @Sendable () -> Handle?
    typealias ColorSpace = @convention(c) @Sendable (Handle?) -> UInt32
    typealias MakeTransform = @convention(c) @Sendable (Handle?, UInt32, Handle?, UInt32, UInt32, UInt32) -> Handle?
    typealias DoTransform =
        @convention(c) @Sendable (Handle?, UnsafeRawPointer?, UnsafeMutableRawPointer?, UInt32) -> Void
    typealias DeleteTransform = @convention(c) @Sendable (Handle?) -> Void

    /// `cmsSigRgbData`, `cmsSigGrayData`, `cmsSigCmykData`, `TYPE_GRAY_8`, `TYPE_RGB_8`,
    /// `TYPE_RGBA_8`, `TYPE_CMYK_8`, `TYPE_CMYK_8_REV`, `INTENT_RELATIVE_COLORIMETRIC` and
    /// `cmsFLAGS_NOOPTIMIZE`.
    static let rgbColors: UInt32 = 0x5247_4220
    static let grayLevels: UInt32 = 0x4752_4159
    static let inks: UInt32 = 0x434D_594B
    static let gray8: UInt32 = 3 << 16 | 1 << 3 | 1
    static let rgb8: UInt32 = 4 << 16 | 3 << 3 | 1
    static let rgba8: UInt32 = 4 << 16 | 1 << 7 | 3 << 3 | 1
    static let invertedCMYK8: UInt32 = 6 << 16 | 1 << 13 | 4 << 3 | 1
    static let relativeColorimetric: UInt32 = 1
    static let withoutOptimization: UInt32 = 0x0100

    let openProfile: OpenProfile
    let closeProfile: CloseProfile
    let makeSRGB: MakeSRGB
    let colorSpace: ColorSpace
    let makeTransform: MakeTransform
    let doTransform: DoTransform
    let deleteTransform: DeleteTransform

    /// `nil` if the library is not installed.
    static let shared = LittleCMS()

    private init?() {
        guard let library = dlopen("liblcms2.so.2", RTLD_NOW | RTLD_LOCAL) else { return nil }
        func find<Function>(_ name: String) -> Function? {
            dlsym(library, name).map { unsafeBitCast($0, to: Function.self) }
        }
        guard let openProfile: OpenProfile = find("cmsOpenProfileFromMem"),
            let closeProfile: CloseProfile = find("cmsCloseProfile"),
            let makeSRGB: MakeSRGB = find("cmsCreate_sRGBProfile"),
            let colorSpace: ColorSpace = find("cmsGetColorSpace"),
            let makeTransform: MakeTransform = find("cmsCreateTransform"),
            let doTransform: DoTransform = find("cmsDoTransform"),
            let deleteTransform: DeleteTransform = find("cmsDeleteTransform")
        else { return nil }
        (self.openProfile, self.closeProfile, self.makeSRGB) = (openProfile, closeProfile, makeSRGB)
        (self.colorSpace, self.makeTransform) = (colorSpace, makeTransform)
        (self.doTransform, self.deleteTransform) = (doTransform, deleteTransform)
    }
}
