// Small JPEG XL files, made with cjxl 0.7. `premultiplied` was then edited by hand.

import Foundation
import RemoteImageCore

/// JPEG XL files for tests. Files that show the same images as `GoldenImage` have 48 × 32 pixels,
/// the others 16 × 8 unless noted.
public enum JXLFile {
    /// 1000 × 1000 pixels with 200 extra channels.
    public static let manyChannels = bytes(
        """
        AAAADEpYTCANCocKAAAAFGZ0eXBqeGwgAAAAAGp4bCAAAAAJanhsbAoAAAHtanhsY/8KOh8BPwYBBBBAAAEEEEAAAQQQQAABBBBAAAEE\
        EEAAAQQQQAABBBBAAAEEEEAAAQQQQAABBBBAAAEEEEAAAQQQQAABBBBAAAEEEEAAAQQQQAABBBBAAAEEEEAAAQQQQAABBBBAAAEEEEAA\
        AQQQQAABBBBAAAEEEEAAAQQQQAABBBBAAAEEEEAAAQQQQAABBBBAAAEEEEAAAQQQQAABBBBAAAEEEEAAAQQQQAABBBBAAAEEEEAAAQQQ\
        QAABBBBAAAEEEEAAAQQQQAABBBBAAAEEEEAAAQQQQAABBBBAAAEEEEAAAQQQQAABBBBAAAEEEEAAAQQQQAABBBBAAAEEEEAACQgAAAAA\
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
        AAAAAAAAAAAAAAAAAAAAAAAAAAEAOAEAAEAABEAABEAABEAABEAABEAABEAABEAABAArWZGCgsI9SwDnyq12CQpQ+3dK3quPeHfQwXCH\
        4EloN/RpEo3rRQ/a1R8fD8aGY26+BJdHyP4hej1Ls9TX6bEOeejSE0fP/8VZkrAAQAADAwMDAwMDAwMDAwMDAwMD
        """)

    /// Lossless, with the colors of `GoldenImage`.
    public static let lossless = bytes(
        """
        /woHQUBxIQgCAQAMAksoo9ymk8mDnNhSUDj4TkJBQcERjQVEIjBSLPp/YwA2iGThS/TcGGOMiIiOiDHyTwk0thIAGCAEIEAQngDY\
        Hg6UAYC4wbbM5aw5bD5bb72crkAiQEAAd30BAQQEHKkqaB9vg+9Q7g11I7JYusVcrPbtUtJilZxahTUgp5LEH8skNlcC
        """)

    /// The same, lossy.
    public static let lossy = bytes(
        """
        /woHQUJxIQASiADYBI/8KQEAUKEyyrjBy7meLz90WEzbuM7QVtsWliSKjGOTdAKHSQoKpLiNMcbY6Bgs6hbGir5ESDKSjqbDL7ww\
        +tKZZmkIFgJYgAv0T6kIlGYrP8d2pHeAC+A6X0N7WPmt1lYU8sO6cKzsNvKB6VAzShRly/ti3YBYWMZljUwVIqJhfKBgAdjeD2hT\
        IQUy7YpBmZecu8x4OTkzAzCwuIBCIxAb0QoOOIBoLPsQERpUiIWHQfZ/DURUJ4UDEdT9I3zXbpghi8JoFvg8iN2xWEAg8GxoTp+p\
        1VofChI+Q88oRRQ0La8Y/mOMwA3CXq9e/VH/y/0oEKA/NAXmkC3eeLoGXhYy6OBwlQPpoRBJPlME6TYEltt3iBSz/FJeQKdX/Hu0\
        TG0ToiL/a6V1sMhih2cTFQh77wZQADw=
        """)

    /// Lossless with 16 bits per channel.
    public static let deep = bytes(
        """
        AAAADEpYTCANCocKAAAAFGZ0eXBqeGwgAAAAAGp4bCAAAAAJanhsbAoAAAEyanhsY/8KB/EDUFwICAIBAHAESygx3Tyr5UMurhQU\
        FCQUHNFIiBhFWPT/xgCgIcUY3I+IiIgYI2I3iGThSysBgAFCAAIE4QmA7cEA9kUGAgGBQADxNCAQCAQEAgEBPclAICAQCAQEAgH/\
        UYFAICAQCAQEAgQBgYBAICAQCAQSDAQCgYBAICAQCATMwgQCgYBAIBAQ+JANBAQCgYBAIBDwKxcIBAQIbL4TIECA0L4/AQIECBH4\
        9ydAgAAhAlt/BAgQIuDvT4AAAUIEuP4IECBEgICWAgFC1+qCggOCA4KXTYIDggOC9loDgoIDgrfqA4IDgoIDt02CA4IDgtNcggOC\
        A4J6WwOCggOCA2LcggOCggMgXYIDggOxo/OJdwWwStDIKM5wsRjiuMAU4bQrx+s=
        """)

    /// Lossless gray, one channel.
    public static let gray = bytes(
        """
        /woHQVBcCAgCAQD4AksoJMYXChICClbxMcYwBjIBUAsAx7ALMV+/tkcRMazacVWAulaRtQzOZ60jXv1v3hZVKnx4R40hQlbvNu6C\
        6YuJl8Ty6+z97gdOJj0mCehu8PofzhOcMZVfXI2eM8YKeVBcH6q2QXmI1aZJL/kZza67yohazWecprTnZrUADNj/OD+f2aFI6cD+\
        36lOK/JuLwYwcH/wDTV0dSx+ecW9IisBlrCfSpcu1QpZl5AN9d2PCHL1boZm47/7xy6xnOo=
        """)

    /// Lossless RGB with alpha.
    public static let alpha = bytes(
        """
        /woHwYLiQggIEABoAksoo9ymk8lZHHx3kAoSElsKCrtRUHBEYwcRBQVE2BgAmqoYY4xhDKMjYoyMwZLRcwxOxTAGBaL6j0G7MeUL\
        IdgJAAwQAhAgCE9AGGAA4N6Bsw7AAIGR1VjclGSuXla922dFl1CnJ5OgokFT/38BEBBAQPSWAQEBb9vQXcvbX0N05mdDEz4Fwxya\
        pgtU1YI2+wZLmXWYAyE8DU0=
        """)

    /// Lossless gray with alpha.
    public static let grayAlpha = bytes(
        """
        /woHwaK4EAgIEACoA0soohwbT7MO8i0UFBQOfpdQUNIBUFAYqP5j0LNSP8YYxkCMwfunw0UABgDwHwEIgDM9RBoOgizOwnYjJ++v\
        BwPFFQ3QmaSlPbdxxf2p6uMqmT63ivhNxZ4MoXuJneYAZbphLUN3hUCJAeBtCk4OULEqSDr9x8QPG4kjD2EHI3lum9j/nEVDYn13\
        OUtATNBs2Yvxn3JVkE4aDqC3DVcNNzIKgK9UJft5jjecVX+vlycjZissxc/ttfWsoGUll4qeY2+COWkPtry78cD6JPe3tBEP5ClS\
        6Mb3H9QFaYHw3v/+M76EfwAAHgAKCA==
        """)

    /// The quarters of `SampleImage`.
    public static let quarters = bytes(
        """
        /wrBQUBxIQgCAQCIAEsYk46DgwCoSyoG9QJBAEg+HAX4n1L69/s7Evj3A28edEM=
        """)

    /// The same with half-transparent red, in a file with premultiplied alpha.
    public static let premultiplied = bytes(
        """
        /wrBwQAIigsBCAgQAKAASxiTjoODAKhNKsYY5QsIAfBTIBsB4L/99+8H8Edt6vfvSyKDzBpATA==
        """)

    /// Three frames of 16 × 8 pixels, each with the quarters in a different order.
    public static let animation = bytes(
        """
        /wrBBQMIKC4JCAKSCQAAiABLGJOOg4MAqEsqBvUCQQBIPhwF+J9S+vf7OxL49wNvHnRDCAKSCQAApABLGIsVANRVFWOM6gWCAED2\
        3wAIgPYX6ee5IMjehhRVOIQrCZFfzAAiAQgCkgUAjABLGJOOg4MAqBupGNQLBAEgOVYD4H9L6d/v/0jr36++eGBfAQ==
        """)

    /// Four frames, each blended over the previous one: the first quarters of `animation` for
    /// 100 ms, the upper left one white for 200 ms, the upper right one red for 50 ms, then the
    /// lower left one green and the lower right one blue for 300 ms. The last frame has two layers.
    public static let blendedAnimation = bytes(
        """
        /wrBBQFYUFwSCAigggAAjABLGJOOg4MAqE0qBvkCQgAI5FKO+Pv3rz/5+/f7O0WxpBmcXQiIAAAAAgQykRQCAEQASxiLFcJJQV5AAoD+\
        AAAAAAAIiEAAAAIEMpEFAgBUAEsYixXCSQLmBSQA2P/+0PsDAAAAAAiIAIAAAgQyEQIAUABLGIsVwlFC6gUkAJB//ZsDAAAAAAiIQIAA\
        AgQykR4BAEQASxiLFcJJQV5AAgD6AwAAAAA=
        """)

    /// Three frames of 8 × 8 pixels, red, green and blue, played seven times. A tick lasts 1,000
    /// seconds; the frames last 2³² - 1, 2³² - 2 and 1 ticks.
    public static let slowAnimation = bytes(
        """
        /wpBBAXg8zvEBAgC/////wMAXABLGIsVwkkC5gUiANj//tAAAAAAAAAAAAgC+////wMAWABLGIsVwklBXiACAP33AwAAAAAAAAAACAIF\
        AFQASxiLFcJJQV4gAgD6AwAAAAAAAAAA
        """)

    /// The same frames with a duration of 0 ticks each.
    public static let timelessAnimation = bytes(
        """
        /wpBBAOICQgCAAAAXABLGIsVwkkC5gUiANj//tAAAAAAAAAAAAgCAAAAWABLGIsVwklBXiACAP33AwAAAAAAAAAACAIEAFQASxiLFcJJ\
        QV4gAgD6AwAAAAAAAAAA
        """)

    /// Quarters of (200, 60, 40), (60, 180, 80), (40, 70, 190) and (220, 220, 220) in Display P3.
    public static let displayP3 = bytes(
        """
        /wrBQUAmNwIIAgEAmABLGJOOg4MpMCJEyp0XCAIACxkrgDd8GlMWvsKya7jbwnJpGSDeAg==
        """)

    /// The same, lossy: the file stores the absolute color space XYB.
    public static let lossyDisplayP3 = bytes(
        """
        /wrBQUImNwIAE4gANAP//6oCAFChMsq4wcu5ni8/dFhM27jO0FbbFpYkioxjk3QChySxnttFYsA2AMDeeOZtH5Em7UgR5vS4mRCU\
        oUIKrCiPvIvxYpRirILBShRjjIwnMWcCgDH6tHZaW8acrQRDYQS1mgJYjTQXHwtku8MaNq3kKNIvrGpl5ZTGEFpQM0rRgT8G/twI\
        sEPaeNA8KMUPTOCo/pe3G0ktKILGwrM1MfBTydgaetLtd6X8hlWTMOvTwNr0rU0Twdyb4BmKPRz6d+MAZozNRGNEQEwB
        """)

    /// Quarters of gray with 1, 50, 203 and 1,000 cd/m² (PQ), lossy.
    public static let brightQuarters = bytes(
        """
        /wrB8ZOQR48AEogCAGABZZccAAAVKqOMG7yc6/nyQ4fFtI3rDG21bWFJosg4NkkncEgSizSAjGRmwNVwIKkkkZrnO9n716oDhlpC\
        zS/1GY9U78E91NiAS6CYf++O16SPYB0ZA1gACg==
        """)

    /// Lossy, 600 × 20 pixels: red increases from left to right, green from top to bottom.
    public static let wide = bytes(
        """
        /wqYgK4ESCguBAASiAIAXIE72MEYeEEKXeUSAAAVKqOMG7yc6/nyQ4fFtI3rDG21bWFJIgEyb+UC8J7gYTAoSQoKCuRJp8wYM2bG\
        zBgzBkfSJBineDEGXbx4FxkvTQ8RCumoGIMjY8zMGCNjjJlZzPDAmAN8JnLRe2Py5fr7//v/b/37j4b4ffCG+P7/fw9/H32AhjCG\
        CBaFSJIsIUtnWo83sZthXZN+Iy21LIQeJ1/Uf+ILMlQwHLPyy6VRcqlzy8FPJURR1CVUD1HucbkJ1YWnhEmLSdSpEFKkabj/3knY\
        mz2kZvAFZ4tCzsdBXQDdFGFAL0cnfW08i9d/sER7fVVB4unnw8tAOXawhXOMQspcDEDmouhOSGL79eTFB9gNiX4WYGm5PVPXMkjd\
        ZZjoixfM5aBkB2fUZWmoW6PN5owf0ADAMRoEBXDwgsKTf1xWaDs9BEoWSxIlBYsdChkCSCgyjh2iyOETUISROf8ELUUAAExAYPGy\
        NzzSX0aWPVBw4lDxTMC/rOA3DOwBMhKp9umVLFBrlmck2ifTRgoKCgoK5Ikx6qImxnhRMUbyYiZJz2GI2OjIGINBaVKMEWEMrRiD\
        UzFGhZwYPDlEbBhixkBEDACBDfIAXvEsGPU/U2CDGREmBnW464cGFNPd9/tWkjaTmyCU7ClvVaRQdJgx2sysQPcuA1lrGtgVCdhG\
        bzIfKv/JzMEac8qNaGdS4FFKPB8peZOkbCmW0sNcKgjM+Tg+57A3/wHajQgALMuaFW4+KsA8D1CjQHtowG0qN4+B6vBgItjCTrC0\
        pTFzWDedSfn9Bc6UeRT2WJMz8ylKozXSwSv4i2jbmc6KK7+C+P87r/yrzHCvLVDtPLSt36W1zjHXQjFM3D4zADWXYAY7+UKArUd0\
        dN9uSuwhzDhjE5EQbLACS9SMAidx/MFUwQU=
        """)

    /// The same, lossless: pixel groups one after another, without a low-resolution pass.
    public static let losslessWide = bytes(
        """
        /wqYgK4ECCguBAgCAQC0AQAAABM4AVVLOECZssKOcX3sbR38vUcHdUBBQuHgbCi8URgKCgoHpaAwaygoKCg4Io1RPSliZIRIxChC\
        CtAYPIbY2egYgymNwaRBnbkxboxxcQ4zEGOwypgbQIm0QGyMwXsAZ0fHGKznIkABZKcaBwCnIwAABxCrQ5I4+AcFpIDFA6AeNKia\
        tzo7dDUPn0yw9axtUnLkilLsDbZQQGfREfPfo1YFzGHMHleCswLkUYmxgbpn5zHioY7N+HZ2abhbAgcQ50cHAKDFVUH5xQC8xgsy\
        tJRA7g71gsk4OMxVSLvQbuAAwujWQrGARl/KoIzT1tB5O0Ivk1GC4KwAeVRibKDu2XmMeKhjM76dXRrulhcoBoEA2j0ANLisDp0Y\
        VLVNGZT7tRBgjQYODJLJBOjTsRxwfTQUJJagFmCiLtJDdOAhQEcFTJqMAb3EwWSmGqNcqoCbCr6rElpLg6Vi9ap+2GJdLrSSUtut\
        fPBKr6JUL4vUs2Ioq4eLGkGsAwmAYqerqrOMqqpPB6pqy4KqGlWqqlo/33pvVZ1xbsyfyVWjK74LhFiOhy4AYU29sVqlX86cF4jG\
        CChlMIUQ/Z0LzYpq4Hnc2p6G49rp1gzZdnlDUJ2rVyadBcZGEVo/F3mTHaQyE+4fYnNouUsIUmY0zR1n1S9ZbJ+ZjPKfS1RzgxoD\
        S1NKhAYU0BNy5lAwh65J9T8q8S/rOFNuwiwTud8WDYnXJ2Q//Jo3urtjrZwmhYmhhOGnDrHAGxqDxT5TL5gHL1DbpG/gdcGN07mH\
        tUfVWj/fem9V4fC1EzZADPKQTz3WGpcDhAA=
        """)

    /// The quarters in a container of boxes, with an orientation.
    public static func oriented(_ orientation: ImageOrientation) -> [UInt8] {
        var file = bytes(
            """
            AAAADEpYTCANCocKAAAAFGZ0eXBqeGwgAAAAAGp4bCAAAAA4anhsY/8KwS0QUFwSCAIBAIgASxiTjoODAKhLKgb1AkEASD4cBfif\
            Uvr3+zsS+PcDbx50Qw==
            """)
        // After the signature come nine bits of size, two flags, and three bits of orientation.
        guard let start = file.indices.dropLast().first(where: { file[$0] == 0xFF && file[$0 + 1] == 0x0A }) else {
            return []
        }
        file[start + 3] = file[start + 3] & 0xC7 | (orientation.rawValue - 1) << 3
        return file
    }

    /// A container with `codestream` split at the offsets `ends` into `jxlp` boxes. If
    /// `fillerByteCount` is not 0, a `free` box with as many bytes follows each part.
    public static func boxed(_ codestream: [UInt8], ends: [Int], fillerByteCount: Int = 0) -> [UInt8] {
        let signature: [UInt8] = [0x0D, 0x0A, 0x87, 0x0A]
        var file = box("JXL ", signature) + box("ftyp", Array("jxl \0\0\0\0jxl ".utf8))
        var start = 0
        for (index, end) in (ends + [codestream.count]).enumerated() {
            let isLast = end == codestream.count
            file += box("jxlp", [isLast ? 0x80 : 0, 0, 0, UInt8(index)] + codestream[start..<end])
            if fillerByteCount > 0 { file += box("free", [UInt8](repeating: 0, count: fillerByteCount)) }
            start = end
        }
        return file
    }

    private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let count = content.count + 8
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) } + Array(name.utf8) + content
    }

    private static func bytes(_ base64: String) -> [UInt8] {
        Data(base64Encoded: base64).map { Array($0) } ?? []
    }
}
