// From the colours of an embedded ICC profile to sRGB, with Little CMS where it is installed.
//
// Unsafe code: functions looked up by name, since a hard link would make every program need the
// library. Their types are those of lcms2.h, the same since 2.0.

import CCodecs
import Glibc
import RemoteImageCore

/// Converts pixels of 8 bits a channel from a profile of RGB, gray or CMYK to sRGB.
package struct ColorConversion: Sendable {
    /// The length of a profile beyond which it is ignored.
    package static let maxProfileByteCount = 1 << 20

    /// Loads the library, before a process locks itself in.
    package static func prepare() { _ = LittleCMS.shared }

    /// Whether the library is installed.
    package static var isAvailable: Bool { LittleCMS.shared != nil }

    private let transforms: Transforms

    /// The conversion for a profile. Nil where none is needed, since the profile is sRGB or as good
    /// as that, and where none is possible: the library is missing, or the profile is broken or of
    /// another colour space.
    package static func from(_ profile: [UInt8]) -> ColorConversion? {
        guard !profile.isEmpty, profile.count <= maxProfileByteCount, LittleCMS.shared != nil else { return nil }
        let known = cache.withLock { entries -> Entry? in
            guard let index = entries.firstIndex(where: { $0.profile == profile }) else { return nil }
            let entry = entries.remove(at: index)
            entries.append(entry)
            return entry
        }
        if let known { return known.transforms.map(ColorConversion.init) }
        let transforms = Transforms(profile)
        cache.withLock { entries in
            if entries.count >= 8 { entries.removeFirst() }
            entries.append(Entry(profile: profile, transforms: transforms))
        }
        return transforms.map(ColorConversion.init)
    }

    /// That for the profile of a WebP, which its loader for GdkPixbuf does not tell.
    package static func ofWebP(_ bytes: [UInt8]) -> ColorConversion? {
        guard let profile = ColorProfile.ofWebP(bytes), profile.count <= maxProfileByteCount else { return nil }
        return from(Array(profile))
    }

    /// Converts the rows of CMYK images by a CMYK profile, which this keeps: it has to live until
    /// the decode ends. Other profiles say nothing of inks.
    func convertInks(of request: inout codec_jpeg_request) {
        guard case .inks(let straight, let inverted) = transforms.kind, let library = LittleCMS.shared else { return }
        request.convert_inks = library.doTransform
        request.inks_transform = straight
        request.inverted_inks_transform = inverted
    }

    /// Converts rows in place. Alpha stays as it is; the colours must not be multiplied by it yet.
    /// A CMYK profile changes nothing: its decoder has converted the inks.
    package func apply(to pixels: UnsafeMutableRawPointer, size: PixelSize, channels: Int, stride: Int) {
        guard let library = LittleCMS.shared else { return }
        switch transforms.kind {
        case .colours(let rgb, let rgba):
            for y in 0..<size.height {
                let row = pixels + y * stride
                library.doTransform(channels == 4 ? rgba : rgb, row, row, UInt32(size.width))
            }
        case .inks: return
        case .gray(let levels):
            let rows = (0..<size.height).map {
                UnsafeMutableRawBufferPointer(start: pixels + $0 * stride, count: size.width * channels)
            }
            // A profile of gray in an image of colours says nothing of those.
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

    private struct Entry: Sendable {
        let profile: [UInt8]
        /// Nil where there is nothing to convert.
        let transforms: Transforms?
    }

    /// The last few profiles: most images with one have one of a handful.
    private static let cache = Lock<[Entry]>([])
}

/// Owns the transforms of a profile. Little CMS lets several threads use one at the same time.
private final class Transforms: @unchecked Sendable {
    // Unchecked: the pointers are set once, and what they point to is only read.
    enum Kind {
        case colours(rgb: UnsafeMutableRawPointer, rgba: UnsafeMutableRawPointer)
        /// What each level of gray is in sRGB.
        case gray([UInt8])
        /// To RGB, from inks that count from 0 and from 255 down.
        case inks(straight: UnsafeMutableRawPointer, inverted: UnsafeMutableRawPointer)
    }

    let kind: Kind

    /// Nil where the profile is no valid one of RGB, gray or CMYK, or where nothing would change by
    /// more than one step.
    init?(_ bytes: [UInt8]) {
        guard let library = LittleCMS.shared, let profile = library.openProfile(bytes, UInt32(bytes.count)) else {
            return nil
        }
        defer { _ = library.closeProfile(profile) }
        guard let standard = library.makeSRGB() else { return nil }
        defer { _ = library.closeProfile(standard) }
        if library.colourSpace(profile) == LittleCMS.grayLevels {
            guard let levels = Self.levels(profile, standard, library) else { return nil }
            kind = .gray(levels)
            return
        }
        if library.colourSpace(profile) == LittleCMS.inks {
            func transform(_ format: UInt32) -> UnsafeMutableRawPointer? {
                library.makeTransform(
                    profile, format, standard, LittleCMS.rgb8, LittleCMS.relativeColorimetric, 0)
            }
            guard let straight = transform(LittleCMS.cmyk8) else { return nil }
            guard let inverted = transform(LittleCMS.invertedCMYK8) else {
                library.deleteTransform(straight)
                return nil
            }
            kind = .inks(straight: straight, inverted: inverted)
            return
        }
        guard library.colourSpace(profile) == LittleCMS.rgbColours else { return nil }
        func transform(_ format: UInt32) -> UnsafeMutableRawPointer? {
            library.makeTransform(profile, format, standard, format, LittleCMS.relativeColorimetric, 0)
        }
        guard let rgb = transform(LittleCMS.rgb8) else { return nil }
        guard !Self.changesNothing(rgb, library), let rgba = transform(LittleCMS.rgba8) else {
            library.deleteTransform(rgb)
            return nil
        }
        kind = .colours(rgb: rgb, rgba: rgba)
    }

    deinit {
        switch kind {
        case .colours(let first, let second), .inks(let first, let second):
            LittleCMS.shared?.deleteTransform(first)
            LittleCMS.shared?.deleteTransform(second)
        case .gray: break
        }
    }

    /// The 256 levels of gray in sRGB.
    private static func levels(
        _ profile: UnsafeMutableRawPointer, _ standard: UnsafeMutableRawPointer, _ library: LittleCMS
    ) -> [UInt8]? {
        // Little CMS otherwise interpolates between a few levels, which is off by up to 10 in dark
        // ones.
        let made = library.makeTransform(
            profile, LittleCMS.gray8, standard, LittleCMS.rgb8, LittleCMS.relativeColorimetric,
            LittleCMS.withoutOptimization)
        guard let made else { return nil }
        defer { library.deleteTransform(made) }
        let grays = (0...255).map { UInt8($0) }
        var colours = [UInt8](repeating: 0, count: 256 * 3)
        library.doTransform(made, grays, &colours, 256)
        let levels = grays.indices.map { colours[$0 * 3 + 1] }
        return zip(grays, levels).allSatisfy { abs(Int($0) - Int($1)) <= 1 } ? nil : levels
    }

    /// Tried out on 729 colours: what a profile calls itself says little.
    private static func changesNothing(_ transform: UnsafeMutableRawPointer, _ library: LittleCMS) -> Bool {
        let levels: [UInt8] = [0, 16, 48, 80, 112, 144, 176, 224, 255]
        let colours = levels.flatMap { red in levels.flatMap { green in levels.flatMap { [red, green, $0] } } }
        var converted = colours
        converted.withUnsafeMutableBytes { memory in
            guard let base = memory.baseAddress else { return }
            library.doTransform(transform, base, base, UInt32(memory.count / 3))
        }
        return zip(colours, converted).allSatisfy { abs(Int($0) - Int($1)) <= 1 }
    }
}

/// The functions of liblcms2 that are used here.
private struct LittleCMS: Sendable {
    typealias Handle = UnsafeMutableRawPointer
    typealias OpenProfile = @convention(c) @Sendable (UnsafeRawPointer?, UInt32) -> Handle?
    typealias CloseProfile = @convention(c) @Sendable (Handle?) -> Int32
    typealias MakeSRGB = @convention(c) @Sendable () -> Handle?
    typealias ColourSpace = @convention(c) @Sendable (Handle?) -> UInt32
    typealias MakeTransform = @convention(c) @Sendable (Handle?, UInt32, Handle?, UInt32, UInt32, UInt32) -> Handle?
    typealias DoTransform =
        @convention(c) @Sendable (Handle?, UnsafeRawPointer?, UnsafeMutableRawPointer?, UInt32) -> Void
    typealias DeleteTransform = @convention(c) @Sendable (Handle?) -> Void

    /// `cmsSigRgbData`, `cmsSigGrayData`, `cmsSigCmykData`, `TYPE_GRAY_8`, `TYPE_RGB_8`,
    /// `TYPE_RGBA_8`, `TYPE_CMYK_8`, `TYPE_CMYK_8_REV`, `INTENT_RELATIVE_COLORIMETRIC` and
    /// `cmsFLAGS_NOOPTIMIZE`.
    static let rgbColours: UInt32 = 0x5247_4220
    static let grayLevels: UInt32 = 0x4752_4159
    static let inks: UInt32 = 0x434D_594B
    static let gray8: UInt32 = 3 << 16 | 1 << 3 | 1
    static let rgb8: UInt32 = 4 << 16 | 3 << 3 | 1
    static let rgba8: UInt32 = 4 << 16 | 1 << 7 | 3 << 3 | 1
    static let cmyk8: UInt32 = 6 << 16 | 4 << 3 | 1
    static let invertedCMYK8: UInt32 = 1 << 13 | cmyk8
    static let relativeColorimetric: UInt32 = 1
    static let withoutOptimization: UInt32 = 0x0100

    let openProfile: OpenProfile
    let closeProfile: CloseProfile
    let makeSRGB: MakeSRGB
    let colourSpace: ColourSpace
    let makeTransform: MakeTransform
    let doTransform: DoTransform
    let deleteTransform: DeleteTransform

    /// Nil where the library is not installed.
    static let shared = LittleCMS()

    private init?() {
        guard let library = dlopen("liblcms2.so.2", RTLD_NOW | RTLD_LOCAL),
            let openProfile = dlsym(library, "cmsOpenProfileFromMem"),
            let closeProfile = dlsym(library, "cmsCloseProfile"),
            let makeSRGB = dlsym(library, "cmsCreate_sRGBProfile"),
            let colourSpace = dlsym(library, "cmsGetColorSpace"),
            let makeTransform = dlsym(library, "cmsCreateTransform"),
            let doTransform = dlsym(library, "cmsDoTransform"),
            let deleteTransform = dlsym(library, "cmsDeleteTransform")
        else { return nil }
        self.openProfile = unsafeBitCast(openProfile, to: OpenProfile.self)
        self.closeProfile = unsafeBitCast(closeProfile, to: CloseProfile.self)
        self.makeSRGB = unsafeBitCast(makeSRGB, to: MakeSRGB.self)
        self.colourSpace = unsafeBitCast(colourSpace, to: ColourSpace.self)
        self.makeTransform = unsafeBitCast(makeTransform, to: MakeTransform.self)
        self.doTransform = unsafeBitCast(doTransform, to: DoTransform.self)
        self.deleteTransform = unsafeBitCast(deleteTransform, to: DeleteTransform.self)
    }
}
