import RemoteImageCore

/// Records every phase of a model.
@MainActor
public final class PhaseRecorder {
    public private(set) var phases: [NetworkImagePhase] = []
    private var observation: ObservationToken?

    public init(_ model: NetworkImageModel) {
        observation = model.observePhase { [weak self] _, new in self?.phases.append(new) }
    }

    package var kinds: [NetworkImagePhase.Kind] { phases.map(\.kind) }

    /// The ``TestImage/content`` of the image in each phase that has one.
    public var contents: [UInt8] { phases.compactMap { $0.image?.content } }
}

extension NetworkImageModel {
    /// The preview of the loading phase; `nil` in another phase.
    public var preview: LoadedImage? {
        if case .loading(let state) = phase { state.preview } else { nil }
    }

    /// Waits until the model is in a phase of `kind`, and returns it. Prints an error and returns
    /// `nil` after ``WaitLimit/duration``.
    package func reached(
        _ kind: NetworkImagePhase.Kind, fileID: StaticString = #fileID, line: Int = #line
    ) async -> NetworkImagePhase? {
        let phases = phases
        let search = Task { () -> NetworkImagePhase? in
            for await phase in phases where phase.kind == kind { return phase }
            return nil
        }
        let alarm = Task { [weak self] in
            try await Task.sleep(for: WaitLimit.duration)
            let found = self.map { "\($0.phase)" } ?? "nothing"
            print(WaitExpired("the phase \(kind)", fileID: fileID, line: line, state: found))
            search.cancel()
        }
        defer { alarm.cancel() }
        return await withTaskCancellationHandler {
            await search.value
        } onCancel: {
            search.cancel()
        }
    }

    /// Waits until `byteCount` bytes have been received.
    public func received(byteCount: Int) async {
        for await phase in phases {
            if case .loading(let state) = phase, state.progress.completedByteCount >= byteCount { return }
        }
    }
}
