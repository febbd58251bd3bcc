// libcurl for Swift. Swift cannot import its variadic setters, so each option in use has a typed
// inline function here, to which libcurl's own type checks apply.
#pragma once
#include <curl/curl.h>

#define CCURL_EASY_OPTION(name, option, type)                                  \
    static inline CURLcode ccurl_set_##name(CURL *easy, type value) {          \
        return curl_easy_setopt(easy, option, value);                          \
    }

// Strings are copied by libcurl.
CCURL_EASY_OPTION(url, CURLOPT_URL, const char *)
CCURL_EASY_OPTION(protocols, CURLOPT_PROTOCOLS_STR, const char *)
CCURL_EASY_OPTION(accept_encoding, CURLOPT_ACCEPT_ENCODING, const char *)
CCURL_EASY_OPTION(user_agent, CURLOPT_USERAGENT, const char *)
CCURL_EASY_OPTION(proxy, CURLOPT_PROXY, const char *)
CCURL_EASY_OPTION(certificate_bundle, CURLOPT_CAINFO, const char *)
CCURL_EASY_OPTION(client_certificate, CURLOPT_SSLCERT, const char *)
CCURL_EASY_OPTION(client_key, CURLOPT_SSLKEY, const char *)
CCURL_EASY_OPTION(client_key_password, CURLOPT_KEYPASSWD, const char *)
CCURL_EASY_OPTION(pinned_public_keys, CURLOPT_PINNEDPUBLICKEY, const char *)

CCURL_EASY_OPTION(follow_location, CURLOPT_FOLLOWLOCATION, long)
CCURL_EASY_OPTION(http_version, CURLOPT_HTTP_VERSION, long)
CCURL_EASY_OPTION(pipe_wait, CURLOPT_PIPEWAIT, long)
CCURL_EASY_OPTION(content_decoding, CURLOPT_HTTP_CONTENT_DECODING, long)
CCURL_EASY_OPTION(no_signal, CURLOPT_NOSIGNAL, long)
CCURL_EASY_OPTION(quick_exit, CURLOPT_QUICK_EXIT, long)
CCURL_EASY_OPTION(tcp_keepalive, CURLOPT_TCP_KEEPALIVE, long)
CCURL_EASY_OPTION(suppress_connect_headers, CURLOPT_SUPPRESS_CONNECT_HEADERS, long)
CCURL_EASY_OPTION(buffer_size, CURLOPT_BUFFERSIZE, long)
CCURL_EASY_OPTION(low_speed_limit, CURLOPT_LOW_SPEED_LIMIT, long)
CCURL_EASY_OPTION(low_speed_time, CURLOPT_LOW_SPEED_TIME, long)
CCURL_EASY_OPTION(connect_timeout_ms, CURLOPT_CONNECTTIMEOUT_MS, long)
CCURL_EASY_OPTION(timeout_ms, CURLOPT_TIMEOUT_MS, long)

// libcurl keeps these pointers, so the memory must outlive the transfer.
CCURL_EASY_OPTION(error_buffer, CURLOPT_ERRORBUFFER, char *)
CCURL_EASY_OPTION(headers, CURLOPT_HTTPHEADER, struct curl_slist *)

/// Called with a pointer into libcurl's buffer, `1`, the number of bytes, and the data pointer. Any
/// result other than the number of bytes ends the transfer with `CURLE_WRITE_ERROR`.
typedef size_t (*ccurl_bytes_function)(char *bytes, size_t one, size_t count, void *data);
/// Returns the socket for a connection, or `CURL_SOCKET_BAD`.
typedef curl_socket_t (*ccurl_socket_function)(void *data, curlsocktype purpose, struct curl_sockaddr *address);

CCURL_EASY_OPTION(header_function, CURLOPT_HEADERFUNCTION, ccurl_bytes_function)
CCURL_EASY_OPTION(header_data, CURLOPT_HEADERDATA, void *)
CCURL_EASY_OPTION(write_function, CURLOPT_WRITEFUNCTION, ccurl_bytes_function)
CCURL_EASY_OPTION(write_data, CURLOPT_WRITEDATA, void *)
CCURL_EASY_OPTION(open_socket_function, CURLOPT_OPENSOCKETFUNCTION, ccurl_socket_function)
CCURL_EASY_OPTION(open_socket_data, CURLOPT_OPENSOCKETDATA, void *)

/// Trusts the certificates of a text in PEM format, which is copied.
static inline CURLcode ccurl_set_certificates(CURL *easy, const void *bytes, size_t count) {
    struct curl_blob blob = {.data = (void *)bytes, .len = count, .flags = CURL_BLOB_COPY};
    return curl_easy_setopt(easy, CURLOPT_CAINFO_BLOB, &blob);
}

/// Trusts no folder of certificates. The option gets a path below which no file can exist, since
/// NULL selects the default folder from libcurl 8.21 on. TLS libraries that cannot read folders do
/// not have the option.
static inline CURLcode ccurl_set_no_certificate_folder(CURL *easy) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_CAPATH, "/dev/null");
    return code == CURLE_NOT_BUILT_IN ? CURLE_OK : code;
}

/// The certificate file that libcurl trusts by default; NULL if it has none.
static inline const char *ccurl_standard_certificate_bundle(void) {
    const curl_version_info_data *info = curl_version_info(CURLVERSION_NOW);
    return info->age >= CURLVERSION_SEVENTH ? info->cainfo : NULL;
}

#define CCURL_MULTI_OPTION(name, option)                                       \
    static inline CURLMcode ccurl_multi_set_##name(CURLM *multi, long value) { \
        return curl_multi_setopt(multi, option, value);                        \
    }

CCURL_MULTI_OPTION(max_host_connections, CURLMOPT_MAX_HOST_CONNECTIONS)
CCURL_MULTI_OPTION(max_total_connections, CURLMOPT_MAX_TOTAL_CONNECTIONS)
CCURL_MULTI_OPTION(max_kept_connections, CURLMOPT_MAXCONNECTS)
CCURL_MULTI_OPTION(pipelining, CURLMOPT_PIPELINING)

/// The time from the start of a transfer until its connection was established, including TLS, in
/// microseconds; -1 if the transfer uses an open connection.
static inline long long ccurl_connect_time(CURL *easy) {
    long count = 0;
    curl_off_t connected = 0, secured = 0;
    if (curl_easy_getinfo(easy, CURLINFO_NUM_CONNECTS, &count) != CURLE_OK || count == 0) return -1;
    curl_easy_getinfo(easy, CURLINFO_CONNECT_TIME_T, &connected);
    curl_easy_getinfo(easy, CURLINFO_APPCONNECT_TIME_T, &secured);
    return secured > connected ? secured : connected;
}

#undef CCURL_EASY_OPTION
#undef CCURL_MULTI_OPTION

/// Returns the next ended transfer, or false if there is none. The easy handle stays in the multi
/// handle. In C, since Swift would have to read the union of `CURLMsg` by hand.
static inline _Bool ccurl_multi_next_ended(CURLM *multi, CURL **easy, CURLcode *result) {
    int left;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left))) {
        if (message->msg == CURLMSG_DONE) {
            *easy = message->easy_handle;
            *result = message->data.result;
            return 1;
        }
    }
    return 0;
}
