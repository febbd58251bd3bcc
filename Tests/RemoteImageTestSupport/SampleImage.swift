// Small image files of each format, 16 × 8 pixels, made with Pillow 12. Except for the gray ones,
// they have a red quarter (upper left), a green one (upper right), a blue one (lower left) and a
// white one (lower right). In animations, this is the first frame.

import Foundation

/// Files for tests of decoders.
public enum SampleImage {
    /// A progressive JPEG.
    public static let progressiveJPEG = bytes(
        """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAIBAQEBAQIBAQECAgICAgQDAgICAgUEBAMEBgUGBgYFBgYGBwkIBgcJBwYGCAsICQoK\
        CgoKBggLDAsKDAkKCgr/2wBDAQICAgICAgUDAwUKBwYHCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoK\
        CgoKCgoKCgr/wgARCAAIABADAREAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAACAn/xAAVAQEBAAAAAAAAAAAAAAAAAAAHCP/a\
        AAwDAQACEAMQAAABNCo1UsleKv/EABYQAQEBAAAAAAAAAAAAAAAAAAAWF//aAAgBAQABBQKqZA//xAAaEQABBQEAAAAAAAAAAAAA\
        AAAAFxhko+Nl/9oACAEDAQE/AXDcy7IR6bXof//EABwRAAEDBQAAAAAAAAAAAAAAAAAXGGRloqPi4//aAAgBAgEBPwFstVwdhM5V\
        m5//xAAaEAABBQEAAAAAAAAAAAAAAAAANDajpOHi/9oACAEBAAY/AkEuDhqdH//EABQQAQAAAAAAAAAAAAAAAAAAABD/2gAIAQEA\
        AT8hIX//2gAMAwEAAgADAAAAEAP/xAAUEQEAAAAAAAAAAAAAAAAAAAAQ/9oACAEDAQE/EA2//8QAFBEBAAAAAAAAAAAAAAAAAAAA\
        EP/aAAgBAgEBPxARv//EABQQAQAAAAAAAAAAAAAAAAAAABD/2gAIAQEAAT8QBv8A/9k=
        """)

    /// A grayscale JPEG.
    public static let grayJPEG = bytes(
        """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAIBAQEBAQIBAQECAgICAgQDAgICAgUEBAMEBgUGBgYFBgYGBwkIBgcJBwYGCAsICQoK\
        CgoKBggLDAsKDAkKCgr/wAALCAAIABABAREA/8QAFQABAQAAAAAAAAAAAAAAAAAACQr/xAAcEAABAwUAAAAAAAAAAAAAAAAAGBlm\
        aKWm4+T/2gAIAQEAAD8ANFVUDumopYaCqGxLrP/Z
        """)

    /// A CMYK JPEG.
    public static let cmykJPEG = bytes(
        """
        /9j/7gAOQWRvYmUAZAAAAAAA/9sAQwACAQEBAQECAQEBAgICAgIEAwICAgIFBAQDBAYFBgYGBQYGBgcJCAYHCQcGBggLCAkKCgoK\
        CgYICwwLCgwJCgoK/8AAFAgACAAQBEMRAE0RAFkRAEsRAP/EABcAAAMBAAAAAAAAAAAAAAAAAAACCgn/xAAYEAACAwAAAAAAAAAA\
        AAAAAAAAGmmn5f/aAA4EQwBNAFkASwAAPwBXnIursxSf8VGOUWk9o38BGOUWk9ov8BGOUWk9oD//2Q==
        """)

    /// A PNG with a palette of four colors.
    public static let palettePNG = bytes(
        """
        iVBORw0KGgoAAAANSUhEUgAAABAAAAAIAgMAAACNGJcEAAAADFBMVEX///8A/wD/AAAAAP8XAUDqAAAAGUlEQVR42mNcxbCagYmB\
        gQGJYPj/nwFdDABYuANhDcq/PwAAAABJRU5ErkJggg==
        """)

    /// The same with transparent red.
    public static let transparentPalettePNG = bytes(
        """
        iVBORw0KGgoAAAANSUhEUgAAABAAAAAIAgMAAACNGJcEAAAADFBMVEX///8A/wD/AAAAAP8XAUDqAAAAA3RSTlP//wDXyg1BAAAA\
        GUlEQVR42mNcxbCagYmBgQGJYPj/nwFdDABYuANhDcq/PwAAAABJRU5ErkJggg==
        """)

    /// A gray PNG with an opaque alpha channel.
    public static let grayAlphaPNG = bytes(
        """
        iVBORw0KGgoAAAANSUhEUgAAABAAAAAICAQAAABaf7ccAAAAIElEQVR42mP0+c+AArxQuQxMDAQA5QoYZdHc8Ij+bgAAmTEDorPc\
        3sMAAAAASUVORK5CYII=
        """)

    /// A gray PNG with 16 bits: the left half middle gray, the right half white.
    public static let deepGrayPNG = bytes(
        """
        iVBORw0KGgoAAAANSUhEUgAAABAAAAAIEAAAAACFjfwIAAAAF0lEQVR4nGNsYEAF9f9R+UwMBMDwUAAA/GoCDtw5F+QAAAAASUVO\
        RK5CYII=
        """)

    /// Lossless WebP (VP8L).
    public static let losslessWebP = bytes(
        """
        UklGRjYAAABXRUJQVlA4TCkAAAAvD8ABAB8gEEjeHzqN+RcQFPwf3fxHZA+AMNtokpOc5P2OIaL/Ufph+wA=
        """)

    /// Lossy WebP (VP8).
    public static let lossyWebP = bytes(
        """
        UklGRmYAAABXRUJQVlA4IFoAAAAwBACdASoQAAgAAAAAJagCdLoB+AH6Af0CYAfwD8ALv/uwD+AAwW5PbUAA/v/+wOT/rbT/+jgF\
        //00oxP/yIukijGMr9sNyDkW9//sqSC4RnYHOA0T/mwAAAA=
        """)

    /// Lossless WebP of 16 × 16 pixels with alpha. libwebp decodes 16 rows of a lossless image at
    /// a time.
    public static let squareWebP = bytes(
        """
        UklGRkAAAABXRUJQVlA4TDMAAAAvD8ADELkyRPQ/dhHR/wCRts3wNN2/tbFjsWCKd4bSIBNp26ZGh/ZPwC6hSkCVJ9l9UgIA
        """)

    /// Lossless WebP with half-transparent red.
    public static let alphaWebP = bytes(
        """
        UklGRjYAAABXRUJQVlA4TCkAAAAvD8ABEB8gEEjaH3qN+d9/AUHRdcsFHxaBMNtokpOc5P2OIaL/semH+gA=
        """)

    /// Lossy WebP of 16 × 16 pixels in extended format (VP8X) with separate alpha (ALPH).
    public static let lossyAlphaWebP = bytes(
        """
        UklGRqQAAABXRUJQVlA4WAoAAAAQAAAADwAADwAAQUxQSDsAAAABf0CkbUPHtvv3ew0RkbiuQBXZNlRQQQUVVFBBBRVUUEEFFVRQ\
        QQVf2yGi/xmIJDKFSqMzmCw2h8vjAwBWUDggQgAAABACAJ0BKhAAEAABQCYlsAJ0twABkBgE50AA/vSfmVpPhD33xGilUbP/1EbU\
        PUgQ9gUhiF1P+e2YxyA/5S952IcAAA==
        """)

    /// WebP in extended format (VP8X) with Exif orientation 6.
    public static let orientedWebP = bytes(
        """
        UklGRmoAAABXRUJQVlA4WAoAAAAIAAAADwAABwAAVlA4TCkAAAAvD8ABAB8gEEjeHzqN+RcQFPwf3fxHZA+AMNtokpOc5P2OIaL/\
        Ufph+wBFWElGGgAAAE1NACoAAAAIAAEBEgADAAAAAQAGAAAAAAAA
        """)

    /// Three frames.
    public static let animatedWebP = bytes(
        """
        UklGRgIBAABXRUJQVlA4WAoAAAACAAAADwAABwAAQU5JTQYAAAAAAAAAAABBTk1GQgAAAAAAAAAAAA8AAAcAAGQAAAJWUDhMKgAA\
        AC8PwAEAHyAQSN4fOo35FxAU/B/d/EdkD4Aw22iSkzzJ/Y4hov+x6Ye6AUFOTUZCAAAAAAAAAAAADwAABwAAZAAAAFZQOEwqAAAA\
        Lw/AAQAfIBBI3h86jfkXEBT8H938R2QPgDDbaJKTnOT9jiGi/7HB17oBQU5NRkIAAAAAAAAAAAAPAAAHAABkAAAAVlA4TCoAAAAv\
        D8ABAB8gEEjeHzqN+RcQFPwf3fxHZA+AMNtokpOc5P2OIaL/ofU3uAA=
        """)

    /// Three frames.
    public static let animatedGIF = bytes(
        """
        R0lGODlhEAAIAIEAAP///wD/AP8AAAAA/yH/C05FVFNDQVBFMi4wAwEAAAAh+QQACgAAACwAAAAAEAAIAAAIMAAFCBwoMIDBgwYJ\
        EkSIUOFAhgcdFoQYYIDFixYBaNyoESNGjhw9XgS5UWRGkgACAgAh+QQBCgAEACwAAAAAEAAIAIH///8A/wD/AAAAAP8IMAABCBwo\
        cIDBgwYJEkSIUOFAhgcdFoQ4IIDFixYFaNyoESNGjhw9XgS5UWRGkgICAgAh+QQBCgAEACwAAAAAEAAIAIH///8A/wD/AAAAAP8I\
        MAADCBwoUIDBgwYJEkSIUOFAhgcdFoQoAIDFixYHaNyoESNGjhw9XgS5UWRGkgMCAgA7
        """)

    public static let avif = bytes(
        """
        AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAADrbWV0YQAAAAAAAAAhaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAA\
        AAAAAAAOcGl0bQAAAAAAAQAAAB5pbG9jAAAAAEQAAAEAAQAAAAEAAAETAAAATgAAAChpaW5mAAAAAAABAAAAGmluZmUCAAAAAAEA\
        AGF2MDFDb2xvcgAAAABqaXBycAAAAEtpcGNvAAAAFGlzcGUAAAAAAAAAEAAAAAgAAAAQcGl4aQAAAAADCAgIAAAADGF2MUOBAAwA\
        AAAAE2NvbHJuY2x4AAEADQAGgAAAABdpcG1hAAAAAAAAAAEAAQQBAoMEAAAAVm1kYXQSAAoIGAy/tEBDQaEyQBIH9/apAIIIPkAA\
        AP/RPQh1K2aDHWbAmQh7/sEBviiEeqpXWy8fTLaRyZQQaEj8k9PKRt0DAbBJSNxc1fphlHg=
        """)

    private static func bytes(_ base64: String) -> [UInt8] {
        Data(base64Encoded: base64).map { Array($0) } ?? []
    }
}
