import ArgumentParser
import Glibc
import HTTPTypes
import RemoteImage
import RemoteImageCore

/// `remote-image fetch`: downloads and decodes images, and reports each result.
struct FetchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch",
        abstract: "Downloads and decodes images, and reports each result.",
        discussion: "The exit status is 0 if all images succeeded, 1 if any failed, and 64 for wrong usage.")

    @Argument(help: ArgumentHelp("The addresses of the images, with http, https, file or data.", valueName: "url"))
    var addresses: [String] = []

    @Option(
        help: ArgumentHelp(
            "Read addresses from this file, one per line; - is standard input. May be repeated.", valueName: "file"),
        completion: .file())
    var urls: [String] = []

    @Option(
        help: ArgumentHelp(
            "The longest side in pixels. Images are never enlarged. Default: full size.", valueName: "n"))
    var size: Int?

    @Option(help: ArgumentHelp("The maximum number of concurrent transfers, from 1 to 1000.", valueName: "n"))
    var concurrency: Int = 6

    @Flag(help: "Print one JSON object per line, in the order in which the images finish.")
    var json = false

    @Option(
        help: ArgumentHelp("Write each image at the requested size as a file into this folder.", valueName: "dir"),
        completion: .directory)
    var output: String?

    @Option(
        help: ArgumentHelp(
            "The names of the written files, from {index}, the place of the address in the list, and {name}, the last "
                + "part of its path. Default: {name}.", valueName: "template"),
        transform: NameTemplate.init)
    var outputName: NameTemplate?

    @Option(
        help: ArgumentHelp("The format of the written files: jpeg, png or webp. Default: png.", valueName: "format"))
    var format: OutputFormat?

    @Option(
        help: ArgumentHelp(
            "Whether resized images are stored and used: automatic, never, or wait, which stores them before the "
                + "command ends.", valueName: "mode"))
    var storedSizes = StoredSizesArgument.automatic

    @OptionGroup(title: "Transfer")
    var transfer: TransferOptions

    @OptionGroup(title: "Store")
    var storage: StoreOptions

    func validate() throws {
        if addresses.isEmpty && urls.isEmpty {
            throw ValidationError("Give at least one address, or a file of addresses with --urls.")
        }
        if let size, size < 1 { throw ValidationError("--size must be at least 1 pixel.") }
        if concurrency < 1 || concurrency > 1000 {
            throw ValidationError("--concurrency must be between 1 and 1000.")
        }
        if output == "" { throw ValidationError("--output needs the path of a folder.") }
        if output == nil && (outputName != nil || format != nil) {
            throw ValidationError("--output-name and --format need --output.")
        }
    }

    func run() async throws {
        let listed = try urls.flatMap { file in try AddressList.read(from: file) }
        var all = addresses.map(FetchEntry.init(argument:)) + listed.map(FetchEntry.init(line:))
        let folder = try output.map { path in try OutputFolder(path, format: format ?? .png) }
        if let folder {
            let template = try outputName ?? NameTemplate("{name}")
            for index in all.indices {
                let name = template.name(for: all[index].address, index: index + 1, of: all.count)
                all[index].fileName = folder.claim(name)
            }
        }
        let pipeline = makePipeline(repeats: Set(all.map(\.text)).count < all.count)
        let reporter = Reporter(total: all.count, isJSON: json)
        await fetch(all, with: pipeline, into: folder) { reporter.report($0) }
        reporter.finish()
        await pipeline.finishWriting()
        if storedSizes == .wait, output == nil, !transfer.noDiskCache {
            // The store does not have all originals before this point.
            await fetch(all, with: pipeline, policy: .cacheOnly) { _ in }
            await pipeline.finishWriting()
        }
        if reporter.failureCount > 0 { throw ExitCode(1) }
        try Console.checkOutput()
    }

    /// The thread that requests and reports all images: it may block while a slow reader takes the
    /// output, and Swift's pool would often wake a thread for a single image, which costs more than
    /// the request.
    private static let thread = WorkerThreads("remote-img cmd", count: 1)

    private func fetch(
        _ entries: [FetchEntry], with pipeline: ImagePipeline, policy: CachePolicy? = nil,
        into folder: OutputFolder? = nil, report: @escaping @Sendable (FetchOutcome) -> Void
    ) async {
        let waiting = Lock(entries.makeIterator())
        // About twice the number of transfers keeps the network and the decoders busy with bounded
        // memory.
        let count = min(entries.count, concurrency * 2 + 4)
        await withTaskExecutorPreference(Self.thread) {
            await withDiscardingTaskGroup { group in
                for _ in 0..<count {
                    group.addTask {
                        while let entry = waiting.withLock({ $0.next() }) {
                            report(await fetch(entry, with: pipeline, policy, into: folder))
                        }
                    }
                }
            }
        }
    }

    /// - Parameter repeats: Whether an address is listed more than once.
    private func makePipeline(repeats: Bool) -> ImagePipeline {
        // A memory cache helps only images that are requested again and are not on disk.
        var configuration = ImagePipeline.Configuration(
            transport: transfer.transport(concurrency: concurrency), decoders: transfer.decoders,
            memoryCache: repeats && transfer.noDiskCache ? MemoryCache() : nil)
        configuration.maxConcurrentTransfers = concurrency
        configuration.maxConcurrentTransfersPerHost = concurrency
        // All listed images are needed, so their rate is not limited.
        configuration.rateLimit = nil
        configuration.responseStore = transfer.noDiskCache ? nil : storage.store
        transfer.apply(to: &configuration)
        // A written file is made from the original.
        if storedSizes == .never || output != nil { configuration.options.cachesResizedImages = false }
        configuration.storesResizedImagesAtOnce = storedSizes == .wait
        return ImagePipeline(configuration)
    }

    private func fetch(
        _ entry: FetchEntry, with pipeline: ImagePipeline, _ policy: CachePolicy?, into folder: OutputFolder?
    ) async -> FetchOutcome {
        let start = ContinuousClock.now
        let request = ImageRequest(
            entry.source, target: size.map(TargetSize.longestSide), options: ImageOptions(cachePolicy: policy))
        do throws(ImageError) {
            let image = try await pipeline.image(for: request)
            let file = try await folder?.write(image, as: entry.fileName, size: size)
            return FetchOutcome(
                address: entry.address, result: .success(image.info), file: file, duration: start.duration(to: .now))
        } catch {
            return FetchOutcome(address: entry.address, result: .failure(error), duration: start.duration(to: .now))
        }
    }
}

/// Whether `fetch` stores and uses resized images.
enum StoredSizesArgument: String, ExpressibleByArgument, CaseIterable {
    case automatic, wait, never
}

/// One image to fetch.
private struct FetchEntry: Sendable {
    let text: String
    let source: ImageSource
    /// The claimed name of its file in the output folder.
    var fileName = ""

    /// The address without user name and password.
    var address: String { UserInformation.removed(from: text) }

    /// An argument of the command line, which may name a local file.
    init(argument: String) {
        text = argument
        source = FilePath(fileAddress: argument).map { .file($0) } ?? ImageSource(argument)
    }

    /// A line of a list, which may be untrusted and must not name a local file.
    init(line: String) {
        text = line
        source = ImageSource(line)
    }
}

/// The result of one image.
struct FetchOutcome: Sendable {
    /// The requested address, without user name and password.
    let address: String
    let result: Result<ImageInfo, ImageError>
    var file: OutputFolder.File?
    let duration: Duration
}
