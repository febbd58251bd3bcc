import CRemoteImagePlatform

/// A system call, described as `41 (socket)`, for example.
struct SystemCall: CustomStringConvertible {
    let number: Int

    var description: String {
        let name = platform_system_call_name(Int32(clamping: number)).map { " (\(String(cString: $0)))" }
        return "\(number)\(name ?? "")"
    }
}
