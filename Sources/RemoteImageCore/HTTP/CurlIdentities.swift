// Whom a transport trusts, and who it is itself.

import CCurl

extension CurlTransport.Configuration {
    /// Sets what TLS needs to know. What cannot be read is left to libcurl, which fails each transfer that needs it: nothing
    /// is ever trusted in its place.
    ///
    /// - Returns: What libcurl refused, as one that was built without pinning does: no connection is to be trusted then.
    func setIdentities(_ easy: UnsafeMutableRawPointer) -> CURLcode {
        var codes: [CURLcode] = []
        if let additionalCertificates {
            let standard = certificateBundle ?? ccurl_standard_certificate_bundle().map { String(cString: $0) }
            if let bytes = Self.certificates(standard, additionalCertificates) {
                codes.append(bytes.withUnsafeBytes { ccurl_set_certificates(easy, $0.baseAddress, $0.count) })
            } else {
                codes.append(ccurl_set_certificate_bundle(easy, additionalCertificates))
            }
        } else if let certificateBundle {
            codes.append(ccurl_set_certificate_bundle(easy, certificateBundle))
        }
        if let clientCertificate {
            let path = clientCertificate.certificatePath
            codes.append(ccurl_set_client_certificate(easy, path))
            codes.append(ccurl_set_client_key(easy, clientCertificate.keyPath ?? path))
            if let password = clientCertificate.keyPassword {
                codes.append(ccurl_set_client_key_password(easy, password))
            }
        }
        if !pinnedPublicKeys.isEmpty {
            let keys = pinnedPublicKeys.map { "sha256//\($0)" }.joined(separator: ";")
            codes.append(ccurl_set_pinned_public_keys(easy, keys))
        }
        return codes.first { $0 != CURLE_OK } ?? CURLE_OK
    }

    /// The certificates of both files; nil where one of them cannot be read.
    private static func certificates(_ standard: String?, _ additional: String) -> [UInt8]? {
        var all: [UInt8] = []
        for path in [standard, additional].compactMap({ $0 }) {
            guard let bytes = try? FileBytes.read(path, limit: maxCertificatesByteCount).bytes else { return nil }
            all += bytes + [UInt8(ascii: "\n")]
        }
        return all
    }

    private static var maxCertificatesByteCount: Int { 16 << 20 }
}
