// JPEG by libjpeg-turbo itself, where its TurboJPEG library is installed. It writes straight into the buffer that is shown:
// GdkPixbuf clears memory first, feeds its decoder piece by piece, and what it made has to be copied. Measured with 2,000 pictures
// of 200 × 150 it costs a third less time.
//
// Unsafe code: functions that are looked up by name in a library whose interface has not changed since 2011, and pointers
// that they are given for the length of a call.

import Glibc

/// The functions of TurboJPEG's version 2 interface that decode.
package struct TurboJPEG: Sendable {
    private typealias Handle = UnsafeMutableRawPointer
    private typealias Bytes = UnsafePointer<UInt8>
    private typealias Start = @convention(c) () -> Handle?
    private typealias ReadHeader =
        @convention(c) (
            Handle, Bytes, UInt, UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>,
            UnsafeMutablePointer<Int32>
        ) -> Int32
    private typealias Decompress =
        @convention(c) (
            Handle, Bytes, UInt, UnsafeMutablePointer<UInt8>, Int32, Int32, Int32, Int32, Int32
        ) -> Int32
    private typealias ErrorCode = @convention(c) (Handle) -> Int32
    private typealias ErrorText = @convention(c) (Handle) -> UnsafePointer<CChar>?
    private typealias End = @convention(c) (Handle) -> Int32

    private let start: Start
    private let readHeader: ReadHeader
    private let decompress: Decompress
    private let errorCode: ErrorCode
    private let errorText: ErrorText
    private let end: End

    /// nil where the library is not installed.
    package static let installed = TurboJPEG()

    private init?() {
        guard let library = dlopen("libturbojpeg.so.0", RTLD_NOW | RTLD_LOCAL),
            let start = dlsym(library, "tjInitDecompress"), let readHeader = dlsym(library, "tjDecompressHeader3"),
            let decompress = dlsym(library, "tjDecompress2"), let errorCode = dlsym(library, "tjGetErrorCode"),
            let errorText = dlsym(library, "tjGetErrorStr2"), let end = dlsym(library, "tjDestroy")
        else { return nil }
        self.start = unsafeBitCast(start, to: Start.self)
        self.readHeader = unsafeBitCast(readHeader, to: ReadHeader.self)
        self.decompress = unsafeBitCast(decompress, to: Decompress.self)
        self.errorCode = unsafeBitCast(errorCode, to: ErrorCode.self)
        self.errorText = unsafeBitCast(errorText, to: ErrorText.self)
        self.end = unsafeBitCast(end, to: End.self)
    }

    /// The pixels in the smallest size of the transform that is not below what is wanted, turned as Exif says, and the size in
    /// the file as it is stored. nil for what the library does not decode to RGB, pictures of four inks, and for what its
    /// interface has no name for, such as colours with an eighth of the pixels: libjpeg itself may decode them.
    package func decode(
        _ bytes: [UInt8], _ request: DecodeRequest
    ) throws(ImageError) -> (pixels: PixelBuffer, stored: PixelSize)? {
        guard let handle = start() else { throw ImageError(.corrupt, "no memory for a decoder") }
        defer { _ = end(handle) }
        guard let size = header(bytes, handle) else { return nil }
        // It may see another size than our own reading of the header.
        try request.limits.check(size)
        let orientation = request.header.orientation
        let drawn = request.target?.drawnSize(of: orientation.swapsSides ? size.transposed : size)
        let wanted = orientation.swapsSides ? drawn?.transposed : drawn
        let scaled = wanted.map { JPEGScale.smallestSize(of: size, notBelow: $0) } ?? size
        let pixels = try PixelBuffer(size: scaled, format: .rgb8) { memory throws(ImageError) in
            let status = bytes.withUnsafeBufferPointer { input -> Int32 in
                guard let input = input.baseAddress, let output = memory.baseAddress else { return -1 }
                return decompress(
                    handle, input, UInt(bytes.count), output.assumingMemoryBound(to: UInt8.self),
                    Int32(scaled.width), Int32(scaled.width * 3), Int32(scaled.height), Self.rgb, Self.limitsScans)
            }
            // A warning is about damage that other decoders pass over as well.
            if status != 0, errorCode(handle) != Self.warning { throw ImageError(.corrupt, text(handle)) }
        }
        return (pixels.turned(orientation), size)
    }

    private func header(_ bytes: [UInt8], _ handle: Handle) -> PixelSize? {
        var (width, height, subsampling, colours) = (Int32(0), Int32(0), Int32(0), Int32(0))
        let status = bytes.withUnsafeBufferPointer { input -> Int32 in
            guard let input = input.baseAddress else { return -1 }
            return readHeader(handle, input, UInt(bytes.count), &width, &height, &subsampling, &colours)
        }
        guard status == 0 || errorCode(handle) == Self.warning, width > 0, height > 0, colours <= Self.gray else {
            return nil
        }
        return PixelSize(width: Int(width), height: Int(height))
    }

    private func text(_ handle: Handle) -> String? {
        errorText(handle).map { String(cString: $0) }
    }

    /// `TJPF_RGB`, `TJCS_GRAY` (after which come CMYK and YCCK), `TJERR_WARNING`.
    private static let rgb: Int32 = 0
    private static let gray: Int32 = 2
    private static let warning: Int32 = 0
    /// `TJFLAG_LIMITSCANS`: a progressive picture of more than 500 scans is an attack.
    private static let limitsScans: Int32 = 32768
}
