import Testing

@testable import RemoteImageCore

/// Hashes and message authentication codes against published vectors.
@Suite(.endsInTime)
struct SignatureTests {
    private func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// FIPS 180-4, and the examples of RFC 3174 section 7.3.
    @Test(arguments: [
        ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
        ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
        ),
        (String(repeating: "01234567", count: 80), "dea356a2cddd90c7a7ecedc5ebb563934f460452"),
        (String(repeating: "a", count: 1_000_000), "34aa973cd4c4daa4f61eeb2bdbad27316534016f"),
    ])
    func `SHA-1 has the published values`(text: String, hash: String) {
        #expect(hexadecimal(SHA1.hash(Array(text.utf8))) == hash)
    }

    @Test(arguments: 50...70)
    func `SHA-1 pads every length`(length: Int) {
        #expect(SHA1.hash([UInt8](repeating: 0, count: length)).count == 20)
    }

    /// RFC 2202 section 3.
    @Test(arguments: [
        ([UInt8](repeating: 0x0B, count: 20), "Hi There", "b617318655057264e28bc0b6fb378c8ef146be00"),
        (Array("Jefe".utf8), "what do ya want for nothing?", "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"),
        (
            [UInt8](repeating: 0x0C, count: 20), "Test With Truncation", "4c1a03424b55e07fe7f27be1d58bb9324a9a5a04"
        ),
        (
            [UInt8](repeating: 0xAA, count: 80), "Test Using Larger Than Block-Size Key - Hash Key First",
            "aa4ae5e15272d00e95705637ce8a3b55ed402112"
        ),
        (
            [UInt8](repeating: 0xAA, count: 80),
            "Test Using Larger Than Block-Size Key and Larger Than One Block-Size Data",
            "e8e99d0f45237d786d6bbaa7965c7808bbff1a91"
        ),
    ])
    func `HMAC-SHA1 has the published values`(key: [UInt8], text: String, code: String) {
        #expect(hexadecimal(HMAC.sha1(Array(text.utf8), key: key)) == code)
    }

    /// RFC 4231 section 4.
    @Test(arguments: [
        (
            [UInt8](repeating: 0x0B, count: 20), "Hi There",
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Array("Jefe".utf8), "what do ya want for nothing?",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            [UInt8](repeating: 0xAA, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
    ])
    func `HMAC-SHA256 has the published values`(key: [UInt8], text: String, code: String) {
        #expect(hexadecimal(HMAC.sha256(Array(text.utf8), key: key)) == code)
    }

    /// RFC 4648 section 10.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func `Base64 has the published values, with and without padding`(text: String, encoded: String) {
        #expect(ServiceText.base64(Array(text.utf8), isPadded: true) == encoded)
        #expect(ServiceText.base64(Array(text.utf8)) == encoded.filter { $0 != "=" })
    }

    @Test func `Base64 for addresses has no slash and no plus sign`() {
        #expect(ServiceText.base64([0xFB, 0xFF, 0xFE]) == "-__-")
    }

    @Test func `hexadecimal digits are read in pairs`() {
        #expect(ServiceText.bytes(ofHexadecimal: "00fFa5") == [0, 0xFF, 0xA5])
        #expect(ServiceText.bytes(ofHexadecimal: "") == [])
        for text in ["0", "0g", "0x", "é0", " 00"] { #expect(ServiceText.bytes(ofHexadecimal: text) == nil) }
    }
}
