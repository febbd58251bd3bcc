import RemoteImageDecoding

extension WorkerThreads {
    /// Threads for tests that use an object from several threads at once. On Swift's pool, their
    /// tasks would take turns with those of all other tests, which on a slow machine takes minutes.
    package static let contending = WorkerThreads("contending", count: 8)
}
