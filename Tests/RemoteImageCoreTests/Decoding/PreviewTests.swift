import Dispatch
import HTTPTypes
import RemoteImage
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// Previews of an image during its transfer.
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct TransferPreviewTests {
    let transport = FakeTransport()
    let clock = TestClock()

    /// A JPEG with a 32 KiB comment at the start and after each scan but the last, so that each
    /// part exceeds the 16 KiB step of `PreviewMaker`.
    private struct Parts {
        /// The byte count up to the end of each scan.
        var ends: [Int] = []
        var bytes: [UInt8]

        init(_ jpeg: [UInt8]) {
            let comment: [UInt8] = [0xFF, 0xFE, 0x80, 0x00] + [UInt8](repeating: 0x20, count: 0x7FFE)
            bytes = jpeg[..<2] + comment
            var rest = jpeg[2...]
            // The next segment follows the data of each scan.
            while let next = rest.indices.dropLast().dropFirst().first(where: {
                rest[$0] == 0xFF && rest[$0 + 1] != 0 && rest[..<$0].contains(0xDA) && Self.isAfterScan(rest, $0)
            }) {
                bytes += rest[..<next] + comment
                ends.append(bytes.count)
                rest = rest[next...]
            }
            bytes += rest
        }

        /// Whether the data of a scan ends at `index`.
        private static func isAfterScan(_ bytes: ArraySlice<UInt8>, _ index: Int) -> Bool {
            guard let start = bytes.indices.dropLast().first(where: { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA })
            else { return false }
            return index > start + 2 + Int(bytes[start + 2]) << 8 + Int(bytes[start + 3])
        }
    }

    private let resources = DecodeResources.own(byteCount: 64 << 20)

    private func pipeline(_ decoder: any ImageDecoder = JPEGDecoder()) -> ImagePipeline {
        .test(transport, decoder: decoder) {
            $0.clock = clock
            $0.decodeResources = resources
        }
    }

    private func request(_ previews: PreviewOptions) -> ImageRequest {
        var options = ImageOptions()
        options.previews = previews
        return ImageRequest("http://test/a", options: options)
    }

    @Test func `a progressive JPEG is previewed scan by scan, at most every 200 ms`() async throws {
        let parts = Parts(SampleImage.progressiveJPEG)
        try #require(parts.ends.count > 3)
        let pipeline = pipeline()
        let task = pipeline.start(request(.progressive))
        let transfer = try await transport.started(count: 1)
        transfer.respond(expected: parts.bytes.count)
        var events = task.events.makeAsyncIterator()
        func nextPreview() async -> LoadedImage? {
            while let event = await events.next() {
                if case .preview(let image) = event { return image }
                if case .finished = event { return nil }
            }
            return nil
        }
        transfer.send(Array(parts.bytes[..<parts.ends[0]]))
        let first = try #require(await nextPreview())
        #expect(first.info.size == PixelSize(width: 16, height: 8))
        // This part arrives too soon after the first preview.
        transfer.send(Array(parts.bytes[parts.ends[0]..<parts.ends[1]]))
        clock.advance(by: .milliseconds(250))
        transfer.send(Array(parts.bytes[parts.ends[1]..<parts.ends[2]]))
        let second = try #require(await nextPreview())
        #expect(second.pixels !== first.pixels)
        transfer.send(Array(parts.bytes[parts.ends[2]...]))
        transfer.finish()
        #expect(await nextPreview() == nil, "nothing is shown in the end but the image")
        let image = try await task.image
        #expect(image.pixels.pixel(2, 2)[0] > 200)
        #expect(pipeline.cachedImage(for: request([]))?.pixels === image.pixels, "no preview reaches the cache")
    }

    /// Its previews used to reach no request.
    @Test func `an image is previewed if its source resolved to an address`() async throws {
        let parts = Parts(SampleImage.progressiveJPEG)
        let source = ImageSource.resolving(identity: "storage") { "http://test/a" }
        let pipeline = pipeline()
        let task = pipeline.start(ImageRequest(source, options: ImageOptions(previews: .progressive)))
        let transfer = try await transport.started(count: 1)
        transfer.respond(expected: parts.bytes.count)
        transfer.send(Array(parts.bytes[..<parts.ends[0]]))
        var count = 0
        for await event in task.events {
            guard case .preview = event else { continue }
            count += 1
            transfer.send(Array(parts.bytes[parts.ends[0]...]))
            transfer.finish()
        }
        #expect(count == 1)
    }

    /// Its previews used to have the limits of the pipeline.
    @Test(arguments: [(128, 1), (127, 0)])
    func `the limits of a request also apply to its previews`(maxPixelCount: Int, count: Int) async throws {
        let parts = Parts(SampleImage.progressiveJPEG)
        let resources = DecodeResources.own(threadCount: 1, byteCount: 64 << 20)
        let pipeline = ImagePipeline.test(transport, decoder: JPEGDecoder()) {
            $0.clock = clock
            $0.decodeResources = resources
        }
        let previews = Watched(0)
        var request = request(.progressive)
        request.options.decodeLimits = DecodeLimits(maxPixelCount: maxPixelCount)
        let task = pipeline.start(request) { event in
            if case .preview = event { previews.update { $0 += 1 } }
        }
        let transfer = try await transport.started(count: 1)
        transfer.respond(expected: parts.bytes.count)
        transfer.send(Array(parts.bytes[..<parts.ends[0]]))
        if count > 0 { try await previews.wait { $0 > 0 } }
        // The only decode thread has done what was posted before.
        for _ in 0..<3 { await Task(executorPreference: resources.threads) {}.value }
        #expect(previews.value == count)
        task.cancel()
    }

    /// A JPEG XL with filler between its parts, so that each part exceeds the step of
    /// `PreviewMaker`.
    private let jxl = JXLFile.boxed(JXLFile.wide, ends: [450, 640], fillerByteCount: 40_000)

    /// The byte count behind each preview. After each preview, the transfer sends the bytes up to
    /// the next end, and after the last preview the rest.
    private func byteCounts(ofPreviewsAt ends: [Int], with decoder: any ImageDecoder) async throws -> [Int] {
        let pipeline = pipeline(decoder)
        let task = pipeline.start(request(.progressive))
        let transfer = try await transport.started(count: 1)
        transfer.respond(expected: jxl.count)
        transfer.send(Array(jxl[..<ends[0]]))
        var counts: [Int] = []
        for await event in task.events {
            guard case .preview(let image) = event else { continue }
            #expect(image.pixels.size == PixelSize(width: 600, height: 20))
            counts.append(image.info.byteCount)
            clock.advance(by: .milliseconds(250))
            let next = counts.count < ends.count ? ends[counts.count] : jxl.count
            transfer.send(Array(jxl[(ends.last { $0 < next } ?? 0)..<next]))
            if next == jxl.count { transfer.finish() }
        }
        let image = try await task.image
        #expect(pipeline.cachedImage(for: request([]))?.pixels === image.pixels)
        return counts
    }

    @Test(.enabled(if: !JXLDecoder().formats.isEmpty, "libjxl is not installed"))
    func `a partial JPEG XL is previewed in the received detail`() async throws {
        #expect(try await byteCounts(ofPreviewsAt: [40_000, 85_000], with: JXLDecoder()) == [40_000, 85_000])
    }

    @Test func `an embedded Exif thumbnail is previewed in the orientation of the image`() async throws {
        let jpeg = Parts(SampleImage.progressiveJPEG).bytes
        let file = ExifBlock.insert(orientation: 6, thumbnail: SampleImage.grayJPEG, into: jpeg)
        let pipeline = pipeline()
        let task = pipeline.start(request(.embeddedThumbnail))
        let transfer = try await transport.started(count: 1)
        transfer.respond(expected: file.count)
        transfer.send(Array(file[..<40_000]))
        for await event in task.events {
            guard case .preview(let image) = event else { continue }
            #expect(image.pixels.size == PixelSize(width: 8, height: 16))
            #expect(image.info.size == PixelSize(width: 8, height: 16))
            break
        }
        task.cancel()
    }

    /// The first preview of a progressive JPEG with the orientation `right`.
    private func firstPreview(_ target: TargetSize?, by decoder: any ImageDecoder) async throws -> LoadedImage? {
        let parts = Parts(SampleImage.progressiveJPEG)
        let file = ExifBlock.insert(orientation: 6, isLittleEndian: false, into: parts.bytes)
        var request = request(.progressive)
        request.target = target
        let pipeline = pipeline(decoder)
        let task = pipeline.start(request)
        defer { withExtendedLifetime(pipeline) { task.cancel() } }
        let transfer = try await transport.started(count: 1)
        transfer.respond(expected: file.count)
        transfer.send(Array(file[..<(parts.ends[0] + file.count - parts.bytes.count)]))
        for await event in task.events {
            if case .preview(let image) = event { return image }
        }
        return nil
    }

    @Test func `a preview has the orientation of its image`() async throws {
        let shown = PixelSize(width: 8, height: 16)
        let preview = try #require(try await firstPreview(nil, by: JPEGDecoder()))
        #expect(preview.info.size == shown)
        #expect(preview.pixels.size == shown)
    }

    @Test(arguments: [nil, TargetSize(PixelSize(width: 8, height: 8))])
    func `a preview by an application's decoder has the orientation of its image`(target: TargetSize?) async throws {
        let preview = try #require(try await firstPreview(target, by: StoredPixelsDecoder()))
        let stored = PixelSize(width: 16, height: 8)
        #expect(preview.info.size == stored.transposed)
        #expect(preview.pixels.arePlaces(target == nil ? stored : PixelSize(width: 8, height: 4), in: .right))
    }

    /// Blocks in `decodeBeginning` until the test signals the gate.
    private struct StuckDecoder: ImageDecoder {
        let gate: DispatchSemaphore
        let entered: Watched<Int>
        var formats: Set<ImageFormat> { [.jpeg] }

        func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage { throw .cancelled }

        func decodeBeginning(_ bytes: [UInt8], _ request: DecodeRequest) -> PixelBuffer? {
            entered.update { $0 += 1 }
            gate.wait()
            return nil
        }
    }

    @Test func `previews that never return do not block other decodes`() async throws {
        let (gate, entered) = (DispatchSemaphore(value: 0), Watched(0))
        let pipeline = pipeline(PNGDecoder())
        let stuck = pipeline.decoders.register(StuckDecoder(gate: gate, entered: entered))
        let parts = Parts(SampleImage.progressiveJPEG)
        let count = resources.threads.count
        var tasks: [ImageTask] = []
        for number in 0..<count {
            var request = ImageRequest("http://test/\(number)")
            request.options.previews = .progressive
            tasks.append(pipeline.start(request))
            let transfer = try await transport.started(count: number + 1)
            transfer.respond(expected: parts.bytes.count)
            transfer.send(Array(parts.bytes[..<parts.ends[0]]))
        }
        try await entered.wait { $0 == count }
        stuck.cancel()
        clock.advance(by: .seconds(31))
        let picture = ImageRequest(ImageSource.bytes(SampleImage.palettePNG, identity: "image"))
        #expect(try await pipeline.image(for: picture).pixels.size == PixelSize(width: 16, height: 8))
        for _ in 0..<count { gate.signal() }
        for task in tasks { task.cancel() }
    }

    /// The cost of decoding grows with the number of scans.
    @Test func `a JPEG with 10,000 scans has no preview`() throws {
        var jpeg = GrayJPEG(size: PixelSize(width: 64, height: 64), sampling: [(1, 1)])
        jpeg.isProgressive = true
        for (count, isShown) in [(500, true), (10_000, false)] {
            jpeg.scanCount = count
            let bytes = Array(jpeg.bytes.dropLast(2))
            let request = DecodeRequest(header: try ImageHeader.read(bytes))
            #expect((JPEGDecoder().decodeBeginning(bytes, request) != nil) == isShown)
        }
    }

    @Test func `a request without preview options has no preview`() async throws {
        let parts = Parts(SampleImage.progressiveJPEG)
        let pipeline = pipeline()
        let task = pipeline.start(request([]))
        let transfer = try await transport.started(count: 1)
        transfer.respond(expected: parts.bytes.count)
        for await event in task.events {
            if case .preview = event { Issue.record("the options ask for no preview") }
            if case .progress(let progress) = event, progress.completedByteCount == 0 { transfer.send(parts.bytes) }
            if case .progress(let progress) = event, progress.completedByteCount > 0 { transfer.finish() }
        }
    }
}
