import CCurl

/// Parses addresses with libcurl's URL functions.
enum AddressParser {
    static func parse(_ text: String) throws(ImageError) -> WebAddress {
        throw ImageError(.invalidURL, text)
    }
}
