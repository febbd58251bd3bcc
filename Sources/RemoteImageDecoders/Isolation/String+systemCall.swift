import CRemoteImagePlatform

extension String {
    /// A system call, such as `41 (socket)`.
    init(systemCall number: Int) {
        let name = platform_system_call_name(Int32(clamping: number)).map { " (\(String(cString: $0)))" }
        self = "\(number)\(name ?? "")"
    }
}
