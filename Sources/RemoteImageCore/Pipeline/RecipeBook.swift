/// Recipes that were prepared, so that each is prepared once. Failed preparations are not kept.
final class RecipeBook: Sendable {
    private struct State {
        var prepared: [String: any ImageRecipe] = [:]
        var running: [String: Task<any ImageRecipe, any Error>] = [:]
    }

    private let state = Lock(State())

    /// Prepared recipes that are kept. Beyond that all are forgotten, and prepared again when they are needed.
    private static let limit = 4096

    /// - Parameters:
    ///   - name: The recipe's source as errors may show it: an identity may be an address with a password.
    ///   - anew: Whether a recipe that was prepared before is prepared again, and takes its place.
    ///   - limit: How long preparing may take.
    func prepared(
        _ recipe: any ImageRecipe, name: String, anew: Bool, limit: Duration, _ clock: any PipelineClock
    ) async throws -> any ImageRecipe {
        // A closure has nothing to prepare, and the next one of its name may know better.
        if recipe is ClosureRecipe { return recipe }
        let identity = recipe.identity
        if anew { state.withLock { $0.prepared[identity] = nil } }
        enum Found {
            case prepared(any ImageRecipe)
            case running(Task<any ImageRecipe, any Error>)
        }
        let found: Found = state.withLock { state in
            if let prepared = state.prepared[identity] { return .prepared(prepared) }
            if let task = state.running[identity] { return .running(task) }
            let task = Task {
                try await withTimeLimit(limit, of: "preparing \(name)", clock) { try await recipe.prepare() }
            }
            state.running[identity] = task
            return .running(task)
        }
        switch found {
        case .prepared(let prepared): return prepared
        case .running(let task):
            let result = await task.result
            state.withLock { state in
                guard state.running[identity] == task else { return }
                state.running[identity] = nil
                guard case .success(let prepared) = result else { return }
                if state.prepared.count >= Self.limit { state.prepared = [:] }
                state.prepared[identity] = prepared
            }
            return try result.get()
        }
    }
}
