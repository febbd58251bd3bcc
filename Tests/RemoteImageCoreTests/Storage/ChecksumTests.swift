import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

@Suite struct XXHash64Tests {
    /// The expected values come from the specification's test program.
    @Test func `hashes match the specification`() {
        #expect(XXHash64.hash([]) == 0xEF46_DB37_51D8_E999)
        #expect(XXHash64.hash(Array("a".utf8)) == 0xD24E_C4F1_A98C_6E5B)
        #expect(XXHash64.hash(Array("abc".utf8)) == 0x44BC_2CF5_AD77_0999)
        #expect(
            XXHash64.hash(Array("Call me Ishmael. Some years ago--never mind how long precisely-".utf8))
                == 0x02A2_E854_70D6_FD96)
    }

    @Test func `the hash does not depend on how the bytes are split`() {
        let bytes = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 37) }
        var random = SeededGenerator(seed: 1)
        for length in 0...300 {
            var hash = XXHash64()
            var rest = bytes.prefix(length)
            while !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 1...70, using: &random))
                piece.withUnsafeBytes { hash.add($0) }
                rest = rest.dropFirst(piece.count)
            }
            #expect(hash.value == XXHash64.hash(Array(bytes.prefix(length))))
        }
    }
}

@Suite
struct SHA256Tests {
    @Test func `hashes match the standard (FIPS 180-4)`() {
        func text(_ message: String) -> String {
            SHA256.hash(Array(message.utf8)).map { word in
                let digits = String(word, radix: 16)
                return String(repeating: "0", count: 8 - digits.count) + digits
            }.joined()
        }
        #expect(text("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(text("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(
            text("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
                == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
        #expect(
            text(String(repeating: "a", count: 1000))
                == "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3")
    }
}
