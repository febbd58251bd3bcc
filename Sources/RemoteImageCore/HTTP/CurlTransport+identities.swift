// The trusted certificates of a transport, and its client certificate.

import CRemoteImageCurl

extension CurlTransport.Configuration {
    /// Sets the TLS options. libcurl gets the path of a file that cannot be read, so that each
    /// transfer that needs it fails; no other certificate is trusted in its place.
    ///
    /// - Returns: The error of an option that libcurl refused, for example because it was built
    ///   without pinning. No https connection must be opened then.
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

    /// The certificates of both files; `nil` if one of them cannot be read.
    private static func certificates(_ standard: String?, _ additional: String) -> [UInt8]? {
        var all: [UInt8] = []
        for path in [standard, additional].compactMap({ $0 }) {
            guard let bytes = try? FileBytes.read(FilePath(path), limit: maxCertificatesByteCount).bytes else {
                return nil
            }
            all += bytes + [UInt8(ascii: "\n")]
        }
        return all
    }

    private static var maxCertificatesByteCount: Int { 16 << 20 }
}
