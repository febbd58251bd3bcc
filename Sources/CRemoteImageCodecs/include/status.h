// The result of a call into a codec library.
#pragma once

typedef enum {
    // Every pixel was written. Damage that the library conceals counts as decoded.
    CODEC_OK = 0,
    // The file is damaged.
    CODEC_CORRUPT,
    // The bytes end before the image does.
    CODEC_TRUNCATED,
    // The file needs what this version of the library or its codecs cannot do, or the library is
    // not installed.
    CODEC_UNSUPPORTED,
    // The image has other sides than the request says.
    CODEC_OTHER_SIZE,
    // The pixels, layers, channels or scans exceed a limit.
    CODEC_TOO_LARGE,
    // The library asked for more memory than there is or than it may have.
    CODEC_NO_MEMORY,
} codec_status;
