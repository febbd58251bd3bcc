// The process-wide state of libcurl.

import CRemoteImageCurl

/// Initialises libcurl once, on first use, before any handle is created.
///
/// Other code of the program may use libcurl too, since `curl_global_init` counts its calls.
/// libcurl is never cleaned up, because transfers may run until the process exits.
enum CurlGlobal {
    static let initialised: Bool = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
}
