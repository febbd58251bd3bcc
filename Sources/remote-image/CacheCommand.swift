import ArgumentParser
import RemoteImageCore

/// `remote-image cache`: inspects and cleans the disk cache.
struct CacheCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache",
        abstract: "Inspects and cleans the disk cache.",
        subcommands: [Info.self, List.self, Remove.self, Trim.self, Clear.self])

    /// Runs without a subcommand. The default prints the help and exits with 0.
    func run() async throws { throw ValidationError("Give a command: info, list, remove, trim or clear.") }

    struct Info: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints the number of entries, the size of the store and of its resized images, and the limit.")

        @OptionGroup var storage: StoreOptions
        @Flag(help: "Print one JSON object.") var json = false

        func run() throws {
            let store = try storage.requiredStore()
            try store.check().orReport()
            Console.printLine(json ? object(store).object : text(store))
            try Console.checkOutput()
        }

        private func text(_ store: DiskCache) -> String {
            let usage = store.usage()
            let bytes = "\(usage.byteCount) of \(store.byteLimit) bytes"
            return "\(usage.entryCount) entries, \(bytes), \(store.resizedByteCount) bytes of resized images"
        }

        private func object(_ store: DiskCache) -> JSONLine {
            let usage = store.usage()
            var object = JSONLine()
            object.add("entries", usage.entryCount)
            object.add("bytes", usage.byteCount)
            object.add("resizedBytes", store.resizedByteCount)
            object.add("limit", store.byteLimit)
            return object
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists the stored responses and their resized images.")

        @OptionGroup var storage: StoreOptions
        @Flag(help: "Print one JSON object per line.") var json = false

        func run() throws {
            let store = try storage.requiredStore()
            for (key, responses) in store.all() {
                for response in responses {
                    let resized = store.resizedImages(of: response, for: key)
                    Console.printLine(line(DiskCache.name(of: key), response, resized))
                }
            }
            try store.check().orReport()
            try Console.checkOutput()
        }

        /// - Parameter name: The requested address or name, which `remove` accepts. The response
        ///   may have another address.
        private func line(
            _ name: String, _ response: StoredResponse, _ resized: [ResizedImage.Description]
        ) -> String {
            guard json else {
                let line = "\(response.body.byteCount)\t\(response.status)\t\(name)"
                return resized.isEmpty ? line : "\(line)\t\(resized.map(\.text).joined(separator: ", "))"
            }
            var object = JSONLine()
            object.add("url", name)
            object.add("status", response.status)
            object.add("bytes", response.body.byteCount)
            object.add("stored", Int(response.responseTime))
            object.add("resized", resized.map(\.object))
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
            abstract: "Removes resized images and then entries, old and large ones first, down to the given size.")

        @OptionGroup var storage: StoreOptions
        @Option(help: ArgumentHelp("The maximum total size of the remaining files, in bytes.", valueName: "bytes"))
        var to: Int

        func validate() throws {
            if to < 0 { throw ValidationError("--to must be at least 0 bytes.") }
        }

        func run() throws {
            try storage.requiredStore().trim(to: to).orReport()
        }
    }

    struct Clear: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Removes all entries.")

        @OptionGroup var storage: StoreOptions
        @Flag(help: "Remove only the resized images and keep their originals.") var resized = false

        func run() throws {
            let store = try storage.requiredStore()
            try (resized ? store.removeResizedImages() : store.trim(to: 0)).orReport()
        }
    }
}

extension Result where Success == Void, Failure == ImageError {
    /// Exits with 1 after printing the error, if there is one.
    fileprivate func orReport() throws {
        guard case .failure(let error) = self else { return }
        Console.printError(error.detailedMessage)
        throw ExitCode(1)
    }
}

extension ResizedImage.Description {
    private var isProcessed: Bool { !processing.isEmpty }

    fileprivate var text: String { "\(size.width)x\(size.height)\(isProcessed ? " processed" : "")" }

    fileprivate var object: JSONLine {
        var object = JSONLine()
        object.add("width", size.width)
        object.add("height", size.height)
        object.add("processed", isProcessed)
        return object
    }
}
