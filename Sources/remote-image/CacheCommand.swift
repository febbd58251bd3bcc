import ArgumentParser
import RemoteImageCore

/// `remote-image cache`: looks after the store.
struct CacheCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache",
        abstract: "Looks after the store on disk.",
        subcommands: [Info.self, List.self, Remove.self, Trim.self, Clear.self])

    struct Info: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Says how large the store is.")

        @OptionGroup var storage: StoreOptions
        @Flag(help: "Print one JSON object.") var json = false

        func run() throws {
            let store = storage.store
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
        static let configuration = CommandConfiguration(abstract: "Lists what is stored.")

        @OptionGroup var storage: StoreOptions
        @Flag(help: "Print one JSON object a line.") var json = false

        func run() throws {
            for (_, responses) in storage.store.all() {
                for response in responses { Console.printLine(line(response)) }
            }
        }

        private func line(_ response: StoredResponse) -> String {
            let address = response.address.stringWithoutUserInfo
            guard json else { return "\(response.body.byteCount)\t\(response.status)\t\(address)" }
            var object = JSONLine()
            object.add("url", address)
            object.add("status", response.status)
            object.add("bytes", response.body.byteCount)
            object.add("stored", Int(response.responseTime))
            return object.object
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Removes what is stored of addresses.")

        @OptionGroup var storage: StoreOptions
        @Argument(help: ArgumentHelp("Addresses.", valueName: "url")) var addresses: [String]

        func run() throws {
            let store = storage.store
            var isComplete = true
            for text in addresses {
                guard let address = try? WebAddress(text) else {
                    Console.printError("\(text) is not an address.")
                    isComplete = false
                    continue
                }
                store.removeAll(of: address)
            }
            if !isComplete { throw ExitCode(1) }
        }
    }

    struct Trim: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Removes what was used longest ago until the store is small enough.")

        @OptionGroup var storage: StoreOptions
        @Option(help: ArgumentHelp("Bytes that all files may take.", valueName: "bytes")) var to: Int

        func validate() throws {
            if to < 0 { throw ValidationError("--to must be at least 0 bytes.") }
        }

        func run() throws {
            storage.store.trim(to: to)
        }
    }

    struct Clear: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Removes everything.")

        @OptionGroup var storage: StoreOptions

        func run() throws {
            storage.store.removeAll()
        }
    }
}
