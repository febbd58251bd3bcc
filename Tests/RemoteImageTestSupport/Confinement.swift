import CRemoteImagePlatform

extension BuiltProgram {
    /// Whether programs of this build can confine themselves.
    public static var canConfine: Bool { platform_is_sanitized() == 0 }
}
