// The command-line program `remote-image`.

import ArgumentParser
import Glibc
import RemoteImageCore

@main
struct RemoteImageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remote-image",
        abstract: "Fetches, decodes and caches remote images with the same pipeline as the library's widgets.",
        version: LibraryVersion.string,
        subcommands: [FetchCommand.self, GetCommand.self, CacheCommand.self])

    static func main() async {
        // libcurl converts international host names only in a UTF-8 locale.
        setlocale(LC_ALL, "")
        await main(nil)
    }

    /// Runs without a subcommand. The default prints the help and exits with 0.
    func run() async throws { throw ValidationError("Give a command: fetch, get or cache.") }
}
