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
        // libcurl may have a default folder of certificates beside its default bundle.
        if certificateBundle != nil { codes.append(ccurl_set_no_certificate_folder(easy)) }
        if let additionalCertificates {
            codes.append(setCertificates(easy, adding: additionalCertificates))
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

    /// Trusts the certificates of the file `additional` in addition to those of
    /// ``certificateBundle`` or of the system.
    private func setCertificates(_ easy: UnsafeMutableRawPointer, adding additional: String) -> CURLcode {
        var all: [UInt8] = []
        for path in [certificateBundle, additional].compactMap({ $0 }) {
            guard let bytes = Self.certificates(path) else { return ccurl_set_certificate_bundle(easy, path) }
            all += bytes
        }
        // A system without a readable bundle adds no certificates.
        if certificateBundle == nil, let standard = ccurl_standard_certificate_bundle() {
            all += Self.certificates(String(cString: standard)) ?? []
        }
        return all.withUnsafeBytes { ccurl_set_certificates(easy, $0.baseAddress, $0.count) }
    }

    /// The certificates of a file; `nil` if it cannot be read.
    private static func certificates(_ path: String) -> [UInt8]? {
        guard let bytes = try? FileBytes.read(FilePath(path), limit: maxCertificatesByteCount).bytes else {
            return nil
        }
        return bytes + [UInt8(ascii: "\n")]
    }

    private static var maxCertificatesByteCount: Int { 16 << 20 }
}
