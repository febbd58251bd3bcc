import ArgumentParser
import RemoteImageCore

/// Options of every command that uses the store on disk.
struct StoreOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The store's folder. Default: $XDG_CACHE_HOME/remote-image/remote-images.", valueName: "dir")
    )
    var cacheDir: String?

    var store: DiskStore {
        DiskStore(path: cacheDir ?? DiskStore.standardPath(application: "remote-image")) { Console.printError($0) }
    }
}

extension CachePolicy: ExpressibleByArgument {}
