import Testing

@testable import RemoteImageCore

/// Hashes of messages around the sizes of blocks and stripes, compared with Python's `hashlib` and
/// with a port of the specification of xxHash.
@Suite struct HashLengthTests {
    private func message(_ count: Int) -> [UInt8] { (0..<count).map { UInt8($0 % 251) } }

    private func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    @Test(arguments: [
        (
            0, "da39a3ee5e6b4b0d3255bfef95601890afd80709",
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        ),
        (
            1, "5ba93c9db0cff93f52b521d7420e43f6eda2784f",
            "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"
        ),
        (
            55, "8ae2d46729cfe68ff927af5eec9c7d1b66d65ac2",
            "463eb28e72f82e0a96c0a4cc53690c571281131f672aa229e0d45ae59b598b59"
        ),
        (
            56, "636e2ec698dac903498e648bd2f3af641d3c88cb",
            "da2ae4d6b36748f2a318f23e7ab1dfdf45acdc9d049bd80e59de82a60895f562"
        ),
        (
            57, "7cb1330f35244b57437539253304ea78a6b7c443",
            "2fe741af801cc238602ac0ec6a7b0c3a8a87c7fc7d7f02a3fe03d1c12eac4d8f"
        ),
        (
            63, "6d942da0c4392b123528f2905c713a3ce28364bd",
            "29af2686fd53374a36b0846694cc342177e428d1647515f078784d69cdb9e488"
        ),
        (
            64, "c6138d514ffa2135bfce0ed0b8fac65669917ec7",
            "fdeab9acf3710362bd2658cdc9a29e8f9c757fcf9811603a8c447cd1d9151108"
        ),
        (
            65, "69bd728ad6e13cd76ff19751fde427b00e395746",
            "4bfd2c8b6f1eec7a2afeb48b934ee4b2694182027e6d0fc075074f2fabb31781"
        ),
        (
            119, "41c89d06001bab4ab78736b44efe7ce18ce6ae08",
            "da18797ed7c3a777f0847f429724a2d8cd5138e6ed2895c3fa1a6d39d18f7ec6"
        ),
        (
            120, "d3dbd653bd8597b7475321b60a36891278e6a04a",
            "f52b23db1fbb6ded89ef42a23ce0c8922c45f25c50b568a93bf1c075420bbb7c"
        ),
        (
            127, "89d7312a903f65cd2b3e34a975e55dbea9033353",
            "92ca0fa6651ee2f97b884b7246a562fa71250fedefe5ebf270d31c546bfea976"
        ),
        (
            128, "e6434bc401f98603d7eda504790c98c67385d535",
            "471fb943aa23c511f6f72f8d1652d9c880cfa392ad80503120547703e56a2be5"
        ),
    ])
    func `SHA-1 and SHA-256 pad messages around the size of a block`(count: Int, sha1: String, sha256: String) {
        #expect(hexadecimal(SHA1.hash(message(count))) == sha1)
        #expect(hexadecimal(HMAC.bytes(of: SHA256.hash(message(count)))) == sha256)
    }

    /// The third word of this hash begins with two zeros.
    @Test func `a name is the first half of the hash, with its zeros`() {
        #expect(SHA256.name(of: "105") == "1253e9373e781b7500266caa55150e08")
    }

    @Test(
        arguments: [
            (1, 0xE934_A84A_DB05_2768, 0xD90D_F86C_76F5_2E13),
            (3, 0xE5C7_BB45_33BC_65DD, 0x5AB1_2304_78CA_6310),
            (4, 0xFFCE_D860_4453_CC1E, 0x6AE4_9716_2D06_10D7),
            (7, 0x14CC_643F_630C_72D2, 0x5464_0963_B8C7_7FA9),
            (8, 0x884A_1736_14B8_1B8D, 0x3072_F8C5_CBA4_3E9A),
            (11, 0x652A_564A_9536_5ACA, 0x858F_6E40_C351_5302),
            (12, 0x424A_F23F_1F08_DCA5, 0x17D8_629F_D1DF_6544),
            (31, 0xC346_D2B5_9B4D_8EE1, 0x0BDB_BCAE_AD6C_6E56),
            (32, 0xCBF5_9C51_16FF_32B4, 0xA597_2D57_C4AE_A230),
            (33, 0x0C53_5D1A_CAFB_8EAD, 0x0C43_E577_54C7_78D9),
            (36, 0xDDE0_EF85_E3AE_F05C, 0x0DA4_FB0B_104F_18DA),
            (39, 0x00A3_96EF_1679_A859, 0x57DF_787C_97DC_059B),
            (40, 0xF5DA_40F1_B117_41E9, 0xFC9F_7A1B_2401_2CB5),
            (63, 0xE26A_A9E2_A95F_8E4F, 0x379E_EAB4_056E_3988),
            (64, 0xF7C6_7301_DB67_13F0, 0x3C65_D180_9A38_A9BF),
            (65, 0xC31E_B63B_2AE4_465B, 0x68DC_3663_487E_B225),
            (77, 0x93F8_5C1B_6280_EAD3, 0xF8AD_C776_6762_A998),
            (100, 0x6AC1_E580_3216_6597, 0x8065_3E7E_9B88_7CDD),
        ] as [(Int, UInt64, UInt64)])
    func `xxHash64 has the values of the specification for each rest`(count: Int, hash: UInt64, seeded: UInt64) {
        let message = message(count)
        #expect(XXHash64.hash(message) == hash)
        #expect(XXHash64.hash(message, seed: 7) == seeded)
        for length in [1, 8, 31, 32, 33] {
            var pieces = XXHash64(seed: 7)
            var rest = message[...]
            while !rest.isEmpty {
                rest.prefix(length).withUnsafeBytes { pieces.add($0) }
                rest = rest.dropFirst(length)
            }
            #expect(pieces.value == seeded, "in pieces of \(length)")
        }
    }

    @Test func `a hash has sixteen digits`() {
        #expect(UInt64(0).hexText == "0000000000000000")
        #expect(UInt64(0xAB).hexText == "00000000000000ab")
        #expect(UInt64.max.hexText == "ffffffffffffffff")
    }
}

@Suite struct Base64LimitTests {
    @Test(
        arguments: [(0, []), (1, [102]), (2, [102, 111]), (3, [102, 111, 111]), (4, [102, 111, 111])]
            as [(Int, [UInt8])])
    func `decoding stops at the limit`(limit: Int, bytes: [UInt8]) {
        #expect(Base64.decode("Zm9v".utf8, limit: limit) == bytes)
    }

    @Test func `nothing after the limit is read`() {
        #expect(Base64.decode("Zm9v!".utf8, limit: 3) == Array("foo".utf8))
        #expect(Base64.decode("Zm9v!".utf8, limit: 4) == nil)
    }

    @Test(arguments: ["data:;base64,Zm9v", "data:,foo", "data:,f%6Fo"])
    func `a data address has at most as many bytes as the limit`(text: String) {
        func code(_ limit: Int) -> ImageError.Code? {
            do throws(ImageError) {
                #expect(try DataAddress.bytes(of: text, limit: limit) == Array("foo".utf8))
                return nil
            } catch {
                return error.code
            }
        }
        #expect(code(2) == .tooLarge && code(3) == nil && code(4) == nil && code(.max) == nil)
    }
}
