// libcurl's state for the whole process.

import CCurl

/// Initialises libcurl once, on first use, before any handle is made.
///
/// Other code of the program may use libcurl too: `curl_global_init` counts. There is no clean-up:
/// transfers may run until the process ends.
enum CurlGlobal {
    static let initialised: Bool = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
}
