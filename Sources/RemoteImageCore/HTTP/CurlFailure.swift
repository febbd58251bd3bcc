// Maps libcurl's error codes to image errors.

import CRemoteImageCurl

enum CurlFailure {
    /// - Parameters:
    ///   - text: The error message of libcurl, usually with details.
    ///   - hasHead: Whether the head of the response had been received.
    static func error(_ code: CURLcode, text: String, address: WebAddress, hasHead: Bool) -> ImageError {
        // libcurl's message may contain the address of a proxy with its password.
        ImageError(
            self.code(code, text: text, hasHead: hasHead),
            "\(address.authority): \(UserInformation.removed(fromMessage: text))")
    }

    static func code(_ code: CURLcode, text: String, hasHead: Bool) -> ImageError.Code {
        switch code {
        case CURLE_SSL_CONNECT_ERROR where isOfTransport(text):
            .connection
        case CURLE_OPERATION_TIMEDOUT:
            .timeout
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CIPHER, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_CACERT_BADFILE,
            CURLE_SSL_SHUTDOWN_FAILED, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
            CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT, CURLE_USE_SSL_FAILED:
            .tls
        case CURLE_PARTIAL_FILE:
            .incomplete
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_HTTP2, CURLE_HTTP2_STREAM:
            hasHead ? .incomplete : .connection
        // With HTTP/0.9 disabled (libcurl reports it as an unsupported protocol) and with parsed
        // addresses, all of these codes refer to the response. libcurl 7.88 reports a header line
        // of more than 100 KiB as out of memory, and a header that begins with a folded line as a
        // bad argument.
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_OUT_OF_MEMORY, CURLE_BAD_FUNCTION_ARGUMENT,
            tooLarge:
            .protocol
        // The callbacks set their own errors when they refuse data, so this is a content decoder
        // that failed to write.
        case CURLE_BAD_CONTENT_ENCODING, CURLE_WRITE_ERROR:
            .encoding
        case CURLE_URL_MALFORMAT:
            .invalidURL
        case CURLE_ABORTED_BY_CALLBACK:
            .cancelled
        default:
            .connection
        }
    }

    /// Whether a TLS handshake failed because the connection was lost. libcurl has one code for
    /// that and for a refused handshake, so only the messages of its TLS libraries tell them apart.
    private static func isOfTransport(_ text: String) -> Bool {
        [
            // Without an error of OpenSSL, libcurl names the function and the error of the system.
            "Recv failure", "Send failure", "SSL_connect: ", "SSL_ERROR_SYSCALL", "unexpected eof",
            "non-properly terminated",
            "Error in the pull function", "Error in the push function",
        ].contains { text.contains($0) }
    }
}

/// `CURLE_TOO_LARGE`, which the oldest supported libcurl does not define.
private let tooLarge = CURLcode(rawValue: 100)
