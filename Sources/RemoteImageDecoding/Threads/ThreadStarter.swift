import Glibc

/// Starts threads of the operating system. Starting can fail if the system has reached its limit.
package struct ThreadStarter: Sendable {
    /// Starts a detached thread that runs `body`. `stackSize` is in bytes; `nil` uses the system's
    /// default. Returns 0, or the error number of the system, in which case `body` does not run.
    package let start: @Sendable (_ stackSize: Int?, _ body: @escaping @Sendable () -> Void) -> Int32

    package init(_ start: @escaping @Sendable (_ stackSize: Int?, _ body: @escaping @Sendable () -> Void) -> Int32) {
        self.start = start
    }

    package static let system = ThreadStarter { stackSize, body in
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        if let stackSize { pthread_attr_setstacksize(&attributes, stackSize) }
        var thread = pthread_t()
        // The new thread takes ownership of the reference.
        let context = Unmanaged.passRetained(Box(body))
        let failure = pthread_create(
            &thread, &attributes,
            { context in
                if let context { Unmanaged<Box<@Sendable () -> Void>>.fromOpaque(context).takeRetainedValue().value() }
                return nil
            }, context.toOpaque())
        if failure != 0 { context.release() }
        return failure
    }
}
