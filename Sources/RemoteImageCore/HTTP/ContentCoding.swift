import HTTPTypes

/// The content codings of bodies (RFC 9110 section 8.4.1).
enum ContentCoding {
    /// The codings that libcurl decodes, or reports as an error if it was built without them.
    private static let known: Set<String> = ["identity", "gzip", "x-gzip", "deflate", "br", "zstd"]

    /// The first coding that no transport decodes; `nil` if there is none. The body is then passed
    /// on as it is: some servers put words there that are no codings, such as `UTF-8` or
    /// `aws-chunked`.
    static func unknown(in headers: HTTPFields) -> String? {
        headers[values: .contentEncoding].lazy
            .flatMap { $0.lowercased().split { $0 == "," || $0 == " " || $0 == "\t" } }
            .map(String.init).first { !known.contains($0) }
    }

    /// The size in bytes of the decoded body of a response; `nil` if its head does not state it.
    ///
    /// With a content coding, `contentLength` is the length of the encoded body (RFC 9110 section
    /// 8.6), with a transfer coding it is ignored (RFC 9112 section 6.3), and responses with status
    /// 204 and 304 have no body.
    static func decodedByteCount(_ contentLength: Int?, status: Int, _ headers: HTTPFields) -> Int? {
        if status == 204 || status == 304 || headers.contains(.transferEncoding)
            || headers[values: .contentEncoding].contains(where: { $0.lowercased() != "identity" })
        {
            return nil
        }
        return contentLength
    }
}
