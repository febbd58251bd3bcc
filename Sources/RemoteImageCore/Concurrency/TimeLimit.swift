/// Returns the result of `body`, or throws an error after `limit`, even if `body` ignores its
/// cancellation.
///
/// - Parameters:
///   - what: The subject of the error's message.
///   - code: The code of that error.
func withTimeLimit<Output: Sendable>(
    _ limit: Duration, of what: String, failingWith code: ImageError.Code = .source, _ clock: any PipelineClock,
    _ body: @escaping @Sendable () async throws -> Output
) async throws(ImageError) -> Output {
    let output = Promise<Output>()
    clock.schedule(after: limit) { [weak output] in
        output?.keep(.failure(ImageError(code, "\(what) took longer than \(limit)")))
    }
    let task = Task {
        output.keep(
            await Result { () async throws(ImageError) in
                do { return try await body() } catch { throw ImageError(thrown: error) }
            })
    }
    do throws(ImageError) {
        return try await output.value
    } catch {
        task.cancel()
        throw error
    }
}
