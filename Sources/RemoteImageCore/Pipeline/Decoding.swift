/// Makes a picture of the bytes of a job, on a decode thread.
struct Decoding: Sendable {
    private let decoders: [any ImageDecoder]
    private let limits: DecodeLimits
    private let cache: MemoryCache?

    init(_ configuration: ImagePipeline.Configuration) {
        decoders = configuration.decoders
        limits = configuration.decodeLimits
        cache = configuration.memoryCache
    }

    func start(_ job: Job, _ data: LoadedData, reportingTo board: JobBoard) {
        Task(executorPreference: WorkerThreads.shared) {
            guard board.isWanted(job) else {
                return board.finishDecoding(job, with: .failure(.cancelled))
            }
            board.finishDecoding(job, with: Result { () throws(ImageError) in try picture(for: job, of: data) })
        }
    }

    private func picture(for job: Job, of data: LoadedData) throws(ImageError) -> LoadedImage {
        let target = job.request.boundedTarget
        guard case .picture(let key) = job.key else { throw .cancelled }
        // Another size of the same picture may have been made while this one waited.
        if var image = cache?.image(for: key.load, target: target, version: data.version) {
            image.info.origin = data.origin
            return image
        }
        let header = try ImageHeader.read(data.bytes)
        try limits.check(header)
        guard let decoder = decoders.first(where: { $0.formats.contains(header.format) }) else {
            throw ImageError(.unsupportedFormat, header.format.rawValue)
        }
        let decoded = try decoder.decode(
            data.bytes, DecodeRequest(header: header, target: target, limits: limits))
        let image = LoadedImage(
            pixels: decoded.pixels,
            info: ImageInfo(
                size: decoded.size, decodedSize: decoded.pixels.size, format: header.format,
                frameCount: decoded.frameCount, origin: data.origin, byteCount: data.bytes.count, status: data.status))
        cache?.store(image, for: key.load, version: data.version)
        return image
    }
}
