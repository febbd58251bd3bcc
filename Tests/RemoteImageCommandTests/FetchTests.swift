import Foundation
import RemoteImageCore
import RemoteImageTestSupport
import Testing

/// `remote-image fetch`, as its man page documents it.
@Suite(.timeLimit(.minutes(5)))
struct FetchTests {
    private let fixture: CommandFixture
    private let image = GoldenImage.jpeg

    init() throws {
        fixture = try CommandFixture()
        fixture.origin.respond(
            to: "/a.jpg",
            with: .ok(GoldenImage.jpeg, headers: [("Cache-Control", "max-age=3600"), ("ETag", "\"1\"")]))
    }

    // MARK: JSON

    @Test func `an image is reported with its fields on one line`() async throws {
        let address = try fixture.address("/a.jpg")
        let ending = try await fixture.run("fetch", "--json", "--size", "24", address)
        #expect(ending.status == 0)
        #expect(ending.lines.count == 1)
        let line = try #require(try ending.objects.first)
        #expect(
            line.names == [
                "url", "phase", "origin", "status", "format", "width", "height", "decodedWidth", "decodedHeight",
                "bytes", "frames", "decoder", "isolated", "seconds",
            ])
        #expect(line[text: "url"] == address)
        #expect(line[text: "phase"] == "success")
        #expect(line[text: "origin"] == "network")
        #expect(line[number: "status"] == 200)
        #expect(line[text: "format"] == "jpeg")
        #expect(line[number: "width"] == 48 && line[number: "height"] == 32)
        #expect(line[number: "decodedWidth"] == 24 && line[number: "decodedHeight"] == 16)
        #expect(line[number: "bytes"] == image.count)
        #expect(line[number: "frames"] == 1)
        #expect(line[text: "decoder"] == "jpeg")
        #expect(try #require(line[decimal: "seconds"]) < 60)
    }

    @Test(arguments: [("avif", AVIFSequence().bytes, 3), ("jxl", JXLFile.blendedAnimation, 4)])
    func `an animation is reported with its number of frames`(format: String, bytes: [UInt8], count: Int) async throws {
        fixture.origin.respond(to: "/moving", with: .ok(bytes))
        let line = try #require(
            try await fixture.run("fetch", "--json", try fixture.address("/moving")).objects.first)
        // Without its library, the format is not decoded.
        if line[object: "error"]?[text: "code"] == "unsupportedFormat" { return }
        #expect(line[text: "format"] == format)
        #expect(line[number: "frames"] == count)
    }

    @Test func `a failure is reported with its code, status and message`() async throws {
        let address = try fixture.address("/missing")
        let ending = try await fixture.run("fetch", "--json", address)
        #expect(ending.status == 1)
        let line = try #require(try ending.objects.first)
        #expect(line.names == ["url", "phase", "error", "seconds"])
        #expect(line[text: "phase"] == "failure")
        let error = try #require(line[object: "error"])
        #expect(error.names == ["code", "status", "message"])
        #expect(error[text: "code"] == "httpStatus")
        #expect(error[number: "status"] == 404)
        #expect(error[text: "message"]?.isEmpty == false)
    }

    /// The message once had only the sentence, which is the same for most failures of a code.
    @Test func `the message of a failure has its details without the password`() async throws {
        let address = "http://anna:s3cret@bad|host/"
        let ending = try await fixture.run("fetch", "--json", address)
        let message = try #require(try ending.objects.first?[object: "error"]?[text: "message"])
        #expect(message == "The address is not valid: bad host: http://bad|host/")
    }

    @Test(arguments: [
        (RawResponse.ok(""), "emptyBody"), (.ok("<html>"), "notAnImage"),
        (.ok(Array(GoldenImage.jpeg.prefix(200))), "corrupt"),
        (.truncated(Array("ab".utf8), announced: 9), "incomplete"), (.raw("no HTTP", then: .close), "protocol"),
        (RawResponse([], then: .close), "connection"), (.redirect(to: "/bad"), "tooManyRedirects"),
        (.redirect(to: "ftp://test/a"), "forbiddenScheme"),
        (.ok("?", headers: [("Content-Encoding", "zip-of-the-day")]), "encoding"),
        (.status(503), "httpStatus"),
    ])
    func `each failure has its code`(response: RawResponse, code: String) async throws {
        fixture.origin.respond(to: "/bad", with: response)
        let ending = try await fixture.run("fetch", "--json", "--retries", "0", try fixture.address("/bad"))
        #expect(ending.status == 1)
        #expect(try ending.objects.first?[object: "error"]?[text: "code"] == code)
    }

    @Test(arguments: [
        ("http://", "invalidURL"), ("nonsense", "invalidURL"), ("ftp://test/a", "forbiddenScheme"),
        ("file:///nonexistent", "io"), ("data:image/png;base64,AAAA", "notAnImage"),
        (#"\a"b"#, "invalidURL"), (#"\a"#, "invalidURL"),
    ])
    func `an address without an image is a failure and not wrong usage`(address: String, code: String) async throws {
        let ending = try await fixture.run("fetch", "--json", address)
        #expect(ending.status == 1)
        #expect(try ending.objects.first?[text: "url"] == address)
        #expect(try ending.objects.first?[object: "error"]?[text: "code"] == code)
    }

    @Test(arguments: [
        (["--max-body", "100"], "tooLarge"), (["--max-pixels", "100"], "tooManyPixels"),
        (["--block-private-networks"], "forbiddenAddress"),
    ])
    func `limits are enforced`(options: [String], code: String) async throws {
        let program = try BuiltProgram(
            "remote-image", ["fetch", "--json", "--no-disk-cache", try fixture.address("/a.jpg")] + options)
        let ending = try await program.ended()
        #expect(ending.status == 1)
        #expect(try ending.objects.first?[object: "error"]?[text: "code"] == code)
    }

    @Test func `a server that does not respond is a timeout`() async throws {
        fixture.origin.hold("/silent")
        let ending = try await fixture.run(
            "fetch", "--json", "--timeout", "0.3", "--retries", "0", try fixture.address("/silent"))
        #expect(try ending.objects.first?[object: "error"]?[text: "code"] == "timeout")
    }

    @Test func `a failed request is retried as often as requested`() async throws {
        fixture.origin.respond(to: "/busy", with: .status(503, headers: [("Retry-After", "0")]))
        let ending = try await fixture.run("fetch", "--json", "--retries", "1", try fixture.address("/busy"))
        #expect(ending.status == 1)
        #expect(fixture.origin.requests.count == 2)
    }

    // MARK: Several addresses

    @Test func `every address is reported, and one failure makes the command exit with 1`() async throws {
        let list = try (0..<20).map { number in
            fixture.origin.respond(to: "/\(number)", with: number == 7 ? .status(404) : .ok(image))
            return try fixture.address("/\(number)")
        }
        let ending = try await fixture.run("fetch", "--json", "--urls", "-", input: list + ["", "   "])
        #expect(ending.status == 1)
        let objects = try ending.objects
        #expect(Set(objects.compactMap { $0[text: "url"] }) == Set(list))
        #expect(objects.count == 20)
        #expect(objects.count { $0[text: "phase"] == "failure" } == 1)
    }

    @Test func `as many transfers as requested run at once`() async throws {
        let list = try (0..<300).map { number in
            fixture.origin.hold("/\(number)")
            return try fixture.address("/\(number)")
        }
        let program = try fixture.start("fetch", "--concurrency", "300", "--urls", "-")
        for address in list { program.write(address) }
        program.closeInput()
        // No request is answered, so that all of them wait at once.
        try await fixture.origin.received(count: 300)
        #expect(fixture.origin.requests.count == 300)
    }

    @Test func `addresses are read from a file`() async throws {
        try fixture.folder.write("\(try fixture.address("/a.jpg"))\r\n", to: "list")
        let ending = try await fixture.run("fetch", "--json", "--urls", fixture.folder.path("list"))
        #expect(ending.status == 0)
        #expect(ending.lines.count == 1)
    }

    /// The first address was once invalid.
    @Test func `a list may begin with a byte order mark`() async throws {
        try fixture.folder.write("\u{FEFF}\(try fixture.address("/a.jpg"))\n", to: "list")
        let ending = try await fixture.run("fetch", "--json", "--urls", fixture.folder.path("list"))
        #expect(ending.status == 0)
        #expect(try ending.objects.first?[text: "url"] == fixture.address("/a.jpg"))
    }

    /// All lists but the last were once ignored.
    @Test func `all lists of addresses are read`() async throws {
        try fixture.folder.write("first\nsecond\n", to: "1")
        try fixture.folder.write("fourth\n", to: "2")
        let ending = try await fixture.run(
            "fetch", "--json", "--urls", fixture.folder.path("1"), "--urls", "-", "--urls",
            fixture.folder.path("2"), input: ["third"])
        #expect(try Set(ending.objects.compactMap { $0[text: "url"] }) == ["first", "second", "third", "fourth"])
        #expect(ending.lines.count == 4)
    }

    // MARK: The store

    @Test func `a second run is answered from disk`() async throws {
        for origin in ["network", "disk"] {
            let ending = try await fixture.run("fetch", "--json", try fixture.address("/a.jpg"))
            #expect(try ending.objects.first?[text: "origin"] == origin)
        }
        #expect(fixture.origin.requests.count == 1)
    }

    @Test(arguments: [
        ("http", ["disk"], 1), ("stored", ["disk"], 1), ("stored-only", ["disk"], 1), ("reload", ["network"], 2),
        ("no-store", ["network"], 2), ("revalidate", ["network", "revalidated"], 2),
    ])
    func `the policy determines the image origin`(policy: String, origins: [String], requestCount: Int) async throws {
        _ = try await fixture.run("fetch", "--json", try fixture.address("/a.jpg"))
        let ending = try await fixture.run("fetch", "--json", "--policy", policy, try fixture.address("/a.jpg"))
        #expect(ending.status == 0)
        #expect(origins.contains(try #require(try ending.objects.first?[text: "origin"])))
        #expect(fixture.origin.requests.count == requestCount)
    }

    @Test func `an image that is not stored fails without a request under stored-only`() async throws {
        let ending = try await fixture.run("fetch", "--json", "--policy", "stored-only", try fixture.address("/a.jpg"))
        #expect(ending.status == 1)
        #expect(try ending.objects.first?[object: "error"]?[text: "code"] == "notStored")
        #expect(fixture.origin.requests.isEmpty)
    }

    @Test func `no folder is created without a disk cache`() async throws {
        let ending = try await fixture.run("fetch", "--no-disk-cache", try fixture.address("/a.jpg"))
        #expect(ending.status == 0)
        #expect(!FileManager.default.fileExists(atPath: fixture.storePath))
    }

    @Test func `without a disk cache, an address that is listed again is answered from memory`() async throws {
        let addresses = [String](repeating: try fixture.address("/a.jpg"), count: 100)
        let program = try BuiltProgram("remote-image", ["fetch", "--json", "--no-disk-cache"] + addresses)
        let ending = try await program.ended()
        #expect(ending.status == 0)
        #expect(try ending.objects.contains { $0[text: "origin"] == "memory" })
    }

    @Test func `with a disk cache, an address that is listed again is answered from disk`() async throws {
        let addresses = [String](repeating: try fixture.address("/a.jpg"), count: 100)
        let arguments = ["fetch", "--json", "--cache-dir", fixture.storePath] + addresses
        let ending = try await BuiltProgram("remote-image", arguments).ended()
        #expect(ending.status == 0)
        let origins = try ending.objects.compactMap { $0[text: "origin"] }
        #expect(origins.count == 100 && origins.contains("disk"))
        #expect(!origins.contains("memory"))
    }

    @Test func `images from files and data addresses are local`() async throws {
        try fixture.folder.write(image, to: "a.jpg")
        let data = "data:image/jpeg;base64,\(Data(image).base64EncodedString())"
        let path = fixture.folder.path("a.jpg")
        for address in ["file://\(path)", "file:\(path)", "FILE://localhost\(path)", data] {
            let ending = try await fixture.run("fetch", "--json", address)
            #expect(ending.status == 0)
            #expect(try ending.objects.first?[text: "origin"] == "local")
        }
    }

    @Test func `a file whose name is not UTF-8 is fetched by its percent-encoded address`() async throws {
        let path = fixture.folder.path("")
        let file = try #require(
            Array(path.utf8 + [0xE4, 0]).withUnsafeBytes { fopen($0.bindMemory(to: CChar.self).baseAddress, "w") })
        #expect(fwrite(image, 1, image.count, file) == image.count)
        fclose(file)
        let ending = try await fixture.run("fetch", "--json", "file://\(path)%E4")
        #expect(ending.status == 0)
    }

    // MARK: Other options

    @Test func `request headers are sent as given, and repeated headers on separate lines`() async throws {
        _ = try await fixture.run(
            "fetch", "--header", "X-Own: 1", "--header", "x-own:2 \t", "--header", "Accept: image/x",
            try fixture.address("/a.jpg"))
        let request = try await fixture.origin.received(count: 1)
        #expect(request.values("X-Own") == ["1", "2"])
        #expect(request.values("Accept") == ["image/x"])
    }

    @Test func `each image is written as a PNG of the target size under a unique name`() async throws {
        fixture.origin.respond(to: "/x/a.jpg?q=../../evil", with: .ok(image))
        let ending = try await fixture.run(
            "fetch", "--size", "20", "--output", fixture.folder.path("out/deep"), try fixture.address("/a.jpg"),
            try fixture.address("/x/a.jpg?q=../../evil"))
        #expect(ending.status == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path("out/deep")).sorted()
        #expect(names == ["a-2.png", "a.png"])
        for name in names {
            let header = try ImageHeader.read(try fixture.folder.read("out/deep/\(name)"))
            #expect(header.format == .png)
            #expect(header.storedSize == PixelSize(width: 20, height: 13))
        }
    }

    /// The numbers once followed the order in which the images finished, and no output named the
    /// files.
    @Test(arguments: [("png", "png"), ("jpeg", "jpg"), ("webp", "webp")])
    func `the report names the file of each address, numbered in the order of the addresses`(
        format: String, fileExtension: String
    ) async throws {
        let paths = ["/1/a.jpg", "/2/a.jpg", "/3/a.jpg"]
        let addresses = try paths.map { path in
            fixture.origin.hold(path)
            return try fixture.address(path)
        }
        let out = fixture.folder.path("out")
        let program = try fixture.start(
            "fetch", "--json", "--size", "20", "--output", out, "--format", format, "--urls", "-")
        for address in addresses { program.write(address) }
        program.closeInput()
        for (count, path) in paths.reversed().enumerated() {
            try await fixture.origin.exchange(for: path).send(.ok(image))
            _ = try await program.lines(count: count + 1)
        }
        let ending = try await program.ended()
        #expect(ending.status == 0)
        let objects = try ending.objects
        #expect(objects.map { $0[text: "url"] } == addresses.reversed())
        #expect(objects.map { $0[text: "file"] } == ["a-3", "a-2", "a"].map { "\(out)/\($0).\(fileExtension)" })
        for object in objects {
            #expect(object[number: "writtenWidth"] == 20 && object[number: "writtenHeight"] == 13)
            #expect(object[number: "decodedWidth"] == 24 && object[number: "decodedHeight"] == 16)
            let file = try #require(object[text: "file"])
            let header = try ImageHeader.read(try [UInt8](Data(contentsOf: URL(filePath: file))))
            #expect(header.format.rawValue == format)
            #expect(header.storedSize == PixelSize(width: 20, height: 13))
        }
    }

    @Test func `files are named by a template, also those after a failure`() async throws {
        let out = fixture.folder.path("out")
        let ending = try await fixture.run(
            "fetch", "--output", out, "--output-name", "{index}-{name}", try fixture.address("/missing"),
            try fixture.address("/a.jpg"))
        #expect(ending.status == 1)
        #expect(ending.text.contains("written to \(out)/2-a.png at 48 × 32"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: out) == ["2-a.png"])
    }

    @Test func `the index counts the addresses of the command line first, then those of the lists`() async throws {
        for path in ["/b.jpg", "/c.jpg"] { fixture.origin.respond(to: path, with: .ok(image)) }
        try fixture.folder.write("\(try fixture.address("/b.jpg"))\n\(try fixture.address("/c.jpg"))", to: "list")
        let out = fixture.folder.path("out")
        let ending = try await fixture.run(
            "fetch", "--output", out, "--output-name", "{index}-{name}", "--urls", fixture.folder.path("list"),
            try fixture.address("/a.jpg"))
        #expect(ending.status == 0)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: out).sorted() == ["1-a.png", "2-b.png", "3-c.png"])
    }

    @Test func `an image is decoded in a decoder process if requested`() async throws {
        let ending = try await fixture.run(
            "fetch", "--json", "--isolate", "--size", "24", try fixture.address("/a.jpg"))
        #expect(ending.status == 0)
        let line = try #require(try ending.objects.first)
        #expect(line[number: "decodedWidth"] == 24)
        #expect(line[text: "decoder"] == "jpeg")
        #expect(line[truth: "isolated"] == true)
    }

    @Test func `an image is decoded in the process of the command if requested`() async throws {
        let ending = try await fixture.run("fetch", "--json", "--no-isolate", try fixture.address("/a.jpg"))
        #expect(ending.status == 0)
        #expect(try ending.objects.first?[text: "decoder"] == "jpeg")
        #expect(try ending.objects.first?[truth: "isolated"] == false)
    }

    private static let drawing =
        "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='40' height='20'/%3E"

    /// SVG was once drawn in the process of the command, also with `--isolate`.
    @Test(arguments: ["--isolate", "--no-disk-cache"])
    func `an SVG is drawn in the decoder process`(option: String) async throws {
        let ending = try await fixture.run("fetch", "--json", "--enable-svg", option, Self.drawing)
        let line = try #require(try ending.objects.first)
        // Without librsvg, SVG is not decoded.
        if line[object: "error"]?[text: "code"] == "unsupportedFormat" { return }
        #expect(line[text: "decoder"] == "svg")
        #expect(line[truth: "isolated"] == true)
    }

    /// A drawing was once decoded at the target size and written at its own, smaller one.
    @Test(arguments: [
        ("100", PixelSize(width: 40, height: 20)), ("1000000", PixelSize(width: 40, height: 20)),
        ("13", PixelSize(width: 13, height: 7)),
    ])
    func `an SVG is not enlarged`(side: String, size: PixelSize) async throws {
        let ending = try await fixture.run(
            "fetch", "--json", "--enable-svg", "--size", side, "--output", fixture.folder.path("out"), Self.drawing)
        let line = try #require(try ending.objects.first)
        // Without librsvg, SVG is not decoded.
        if line[object: "error"]?[text: "code"] == "unsupportedFormat" { return }
        #expect(ending.status == 0)
        #expect(line[number: "width"] == 40 && line[number: "height"] == 20)
        #expect(line[number: "decodedWidth"] == size.width && line[number: "decodedHeight"] == size.height)
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path("out")).first)
        #expect(try ImageHeader.read(try fixture.folder.read("out/\(name)")).storedSize == size)
    }

    /// A terminal interprets escape sequences from any source.
    @Test(arguments: [[], ["--json"]])
    func `the output has no control characters`(options: [String]) async throws {
        let evil = "http://127.0.0.1:1/\u{1B}]0;evil\u{07}\u{9B}31m\u{202E}"
        let ending = try await BuiltProgram(
            "remote-image", ["fetch", "--no-disk-cache"] + options + [evil], environment: ["REMOTE_IMAGE_DEBUG": "1"]
        ).ended()
        #expect(ending.status == 1)
        for line in (ending.text + ending.errors).split(separator: "\n") {
            #expect(!line.unicodeScalars.contains { $0.value < 0x20 || (0x7F..<0xA0) ~= $0.value || $0 == "\u{202E}" })
        }
        if !options.isEmpty { #expect(try ending.objects.first?[text: "url"] == evil) }
    }

    @Test func `the debug log names the cache decision, the decoder and its process`() async throws {
        let arguments = ["fetch", "--cache-dir", fixture.storePath, "--json", try fixture.address("/a.jpg")]
        var logs: [String] = []
        for _ in 0..<2 {
            let ending = try await BuiltProgram("remote-image", arguments, environment: ["REMOTE_IMAGE_DEBUG": "1"])
                .ended()
            #expect(ending.status == 0)
            logs.append(ending.errors)
        }
        #expect(logs[0].contains("cache: miss") && logs[0].contains("server: status 200"))
        #expect(logs[1].contains("cache: fresh") && !logs[1].contains("status"))
        #expect(logs.allSatisfy { $0.contains("decoder: jpeg in the decoder process") })
    }

    @Test func `the debug log has no password`() async throws {
        let address = try fixture.origin.address("/a.jpg", userInfo: "me:secret").string
        let ending = try await BuiltProgram(
            "remote-image", ["fetch", "--no-disk-cache", "--json", address], environment: ["REMOTE_IMAGE_DEBUG": "1"]
        ).ended()
        #expect(ending.status == 0)
        #expect(ending.errors.contains("/a.jpg"))
        #expect(!ending.errors.contains("secret"))
    }

    @Test func `passwords are omitted from the output and from file names`() async throws {
        let address = try fixture.origin.address("/", userInfo: "anna:s3cret").string
        fixture.origin.respond(to: "/", with: .ok(image))
        for arguments in [[], ["--json"]] {
            let ending = try await BuiltProgram(
                "remote-image",
                ["fetch", "--cache-dir", fixture.storePath, "--output", fixture.folder.path("out"), address] + arguments
                    + ["http://anna:s3cret@127.0.0.1:1/"]
            ).ended()
            #expect(ending.status == 1)
            for text in [ending.text, ending.errors] { #expect(!text.contains("s3cret") && !text.contains("anna")) }
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path("out"))
        #expect(names.count == 2)
        #expect(names.allSatisfy { !$0.contains("s3cret") }, "\(names)")
        let list = try await fixture.run("cache", "list")
        #expect(!list.text.contains("s3cret"))
    }

    /// The command once exited with 1 without a message.
    @Test(arguments: [[], ["--json"]])
    func `output that cannot be written is reported once`(options: [String]) async throws {
        let addresses = try Array(repeating: fixture.address("/a.jpg"), count: 2)
        let program = try BuiltProgram(
            "remote-image", ["fetch", "--no-disk-cache"] + options + addresses, outputFile: "/dev/full")
        let ending = try await program.ended()
        #expect(ending.status == 1)
        #expect(ending.errors == "standard output: No space left on device\n")
    }

    /// A list may come from an untrusted source.
    @Test func `file addresses are accepted as arguments and refused in a list`() async throws {
        try fixture.folder.write(image, to: "a.jpg")
        let file = "file://\(fixture.folder.path("a.jpg"))"
        let argument = try await fixture.run("fetch", "--json", file)
        #expect(argument.status == 0)
        let listed = try await fixture.run("fetch", "--json", "--urls", "-", input: [file])
        #expect(listed.status == 1)
        #expect(try listed.objects.first?[object: "error"]?[text: "code"] == "forbiddenScheme")
    }

    @Test func `text output has a line per image, and failures are on standard error`() async throws {
        let ending = try await fixture.run("fetch", try fixture.address("/a.jpg"), try fixture.address("/missing"))
        #expect(ending.status == 1)
        #expect(ending.lines.count == 1 && ending.text.contains("/a.jpg"))
        #expect(ending.errors.contains("/missing") && !ending.errors.contains("/a.jpg"))
    }
}
