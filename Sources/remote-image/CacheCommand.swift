import ArgumentParser
import RemoteImageCore

/// `remote-image cache`: inspects and cleans the disk store.
struct CacheCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache",
        abstract: "Inspects and cleans the disk store.",
        subcommands: [Info.self, List.self, Remove.self, Trim.self, Clear.self])

    struct Info: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints the number of entries, the size and the size limit of the store.")

        @OptionGroup var storage: StoreOptions
        @Flag(help: "Print one JSON object.") var json = false

        func run() throws {
            let store = try storage.requiredStore()
            let usage = store.usage()
            guard json else {
                Console.printLine("\(usage.entryCount) entries, \(usage.byteCount) of \(store.byteLimit) bytes")
                return
            }
            var object = JSONLine()
            object.add("entries", usage.entryCount)
            object.add("bytes", usage.byteCount)
            object.add("limit", store.byteLimit)
            Console.printLine(object.object)
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the stored responses.")

        @OptionGroup var storage: StoreOptions
        @Flag(help: "Print one JSON object per line.") var json = false

        func run() throws {
            for (key, responses) in try storage.requiredStore().all() {
                for response in responses { Console.printLine(line(DiskStore.name(of: key), response)) }
            }
        }

        /// - Parameter name: The requested address or name, which `remove` accepts. The response
        ///   may have another address.
        private func line(_ name: String, _ response: StoredResponse) -> String {
            guard json else { return "\(response.body.byteCount)\t\(response.status)\t\(name)" }
            var object = JSONLine()
            object.add("url", name)
            object.add("status", response.status)
            object.add("bytes", response.body.byteCount)
            object.add("stored", Int(response.responseTime))
            return object.object
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Removes the stored responses of addresses.")

        @OptionGroup var storage: StoreOptions
        @Argument(help: ArgumentHelp("Addresses, or names as printed by cache list.", valueName: "url"))
        var addresses: [String]

        func run() throws {
            let store = try storage.requiredStore()
            var isComplete = true
            for text in addresses {
                do throws(ImageError) {
                    let count = try store.removeAll(named: text).get()
                    // Removing an address without stored responses succeeds if the address is
                    // valid.
                    if count == 0 { _ = try WebAddress(text) }
                } catch {
                    Console.printError("\(UserInformation.removed(from: text)): \(error.detailedMessage)")
                    isComplete = false
                }
            }
            if !isComplete { throw ExitCode(1) }
        }
    }

    struct Trim: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Removes entries, old and large ones first, until the store has at most the given size.")

        @OptionGroup var storage: StoreOptions
        @Option(help: ArgumentHelp("The maximum total size of the remaining files, in bytes.", valueName: "bytes"))
        var to: Int

        func validate() throws {
            if to < 0 { throw ValidationError("--to must be at least 0 bytes.") }
        }

        func run() throws {
            try storage.requiredStore().trimOrReport(to: to)
        }
    }

    struct Clear: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Removes all entries.")

        @OptionGroup var storage: StoreOptions

        func run() throws {
            try storage.requiredStore().trimOrReport(to: 0)
        }
    }
}

extension DiskStore {
    /// Exits with a failure if the store could not be trimmed to `byteCount`.
    fileprivate func trimOrReport(to byteCount: Int) throws {
        guard case .failure(let error) = trim(to: byteCount) else { return }
        Console.printError(error.detailedMessage)
        throw ExitCode(1)
    }
}
