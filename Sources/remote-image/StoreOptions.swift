import ArgumentParser
import RemoteImageCore

/// The options of commands that use the disk cache.
struct StoreOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The folder of the disk cache. Default: $XDG_CACHE_HOME/remote-image/remote-images.", valueName: "dir"),
        completion: .directory)
    var cacheDir: String?

    /// `nil` if there is no usable folder; the reason is printed to standard error.
    var store: DiskCache? {
        if let cacheDir { return DiskCache(path: cacheDir) { Console.printError($0) } }
        return DiskCache(application: "remote-image") { Console.printError($0) }
    }

    /// The store. Throws an exit code if there is none.
    func requiredStore() throws -> DiskCache {
        guard let store else { throw ExitCode(1) }
        return store
    }
}

extension CachePolicy: ExpressibleByArgument {
    /// Only a view shows a stored image before it asks the server.
    public static var allValueStrings: [String] { allCases.filter { $0 != .staleWhileRevalidate }.map(\.rawValue) }

    public init?(argument: String) {
        guard Self.allValueStrings.contains(argument) else { return nil }
        self.init(rawValue: argument)
    }
}
