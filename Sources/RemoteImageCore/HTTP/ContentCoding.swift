import HTTPTypes

/// The codings of bodies (RFC 9110 section 8.4.1).
enum ContentCoding {
    /// Those that libcurl undoes, or fails on where it was built without them.
    private static let known: Set<String> = ["identity", "gzip", "x-gzip", "deflate", "br", "zstd"]

    /// The first coding that no transport undoes; `nil` where there is none.
    static func unknown(in headers: HTTPFields) -> String? {
        headers[values: .contentEncoding].lazy
            .flatMap { $0.lowercased().split { $0 == "," || $0 == " " || $0 == "\t" } }
            .map(String.init).first { !known.contains($0) }
    }
}
