// The version of the library that a program is compiled with.
#pragma once

/**
 * REMOTE_IMAGE_MAJOR_VERSION:
 *
 * The first number of the version. Another one is another library.
 */
#define REMOTE_IMAGE_MAJOR_VERSION 1

/**
 * REMOTE_IMAGE_MINOR_VERSION:
 *
 * The second number of the version. New functions raise it.
 */
#define REMOTE_IMAGE_MINOR_VERSION 0

/**
 * REMOTE_IMAGE_MICRO_VERSION:
 *
 * The third number of the version.
 */
#define REMOTE_IMAGE_MICRO_VERSION 0

/**
 * REMOTE_IMAGE_CHECK_VERSION:
 * @major: a first number
 * @minor: a second number
 * @micro: a third number
 *
 * Whether the headers are of this version or a newer one.
 *
 * Returns: a constant expression, also for the preprocessor
 */
#define REMOTE_IMAGE_CHECK_VERSION(major, minor, micro)                                         \
    (REMOTE_IMAGE_MAJOR_VERSION > (major) ||                                                    \
     (REMOTE_IMAGE_MAJOR_VERSION == (major) && REMOTE_IMAGE_MINOR_VERSION > (minor)) ||         \
     (REMOTE_IMAGE_MAJOR_VERSION == (major) && REMOTE_IMAGE_MINOR_VERSION == (minor) &&         \
      REMOTE_IMAGE_MICRO_VERSION >= (micro)))
