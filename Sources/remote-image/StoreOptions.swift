import ArgumentParser
import RemoteImageCore

/// Options of every command that uses the store on disk.
struct StoreOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The store's folder. Default: $XDG_CACHE_HOME/remote-image/remote-images.", valueName: "dir")
    )
    var cacheDir: String?

    /// `nil`, after a line on standard error, where there is no folder for it.
    var store: DiskStore? {
        if let cacheDir { return DiskStore(path: cacheDir) { Console.printError($0) } }
        return DiskStore(application: "remote-image") { Console.printError($0) }
    }

    /// The store, for commands that need one.
    func requiredStore() throws -> DiskStore {
        guard let store else { throw ExitCode(1) }
        return store
    }
}

extension CachePolicy: ExpressibleByArgument {}
