import CRemoteImagePlatform

extension BuiltProgram {
    /// Whether the programs of this build can be confined. Programs with a sanitizer cannot: its
    /// runtime needs more memory and system calls than a confined process has.
    public static var canConfine: Bool { platform_is_sanitized() == 0 }
}
