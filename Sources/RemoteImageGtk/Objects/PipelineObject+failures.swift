// The signal `failed` of a pipeline, for programs in other languages.

import CRemoteImageGtk

extension PipelineObject {
    /// Emits the signal for each request of `pipeline` that fails, as long as the object exists.
    func emitFailures(of pipeline: ImagePipeline) {
        // Weak, since the object owns the pipeline, which may outlive it.
        let object = WeakObject(object)
        pipeline.observers.receiveFailures { source, isVisible, error in
            Task { @MainActor in
                // A handler may run the main loop.
                MainLoop.callBack {
                    // A handler may release the object.
                    guard let kept = object.strong() else { return }
                    withExtendedLifetime(kept) { Self.of(kept.pointer).emit(error, of: source, isVisible) }
                }
            }
        }
    }

    private func emit(_ error: ImageError, of source: ImageSource, _ isVisible: Bool) {
        guard g_signal_has_handler_pending(object, Self.failed, 0, 0) != 0,
            let error = ImageErrorDomain.makeError(error)
        else { return }
        shim_emit_failure(object, Self.failed, source.address ?? source.invalidAddress, isVisible ? 1 : 0, error)
        g_error_free(error)
    }

    nonisolated static let failed: guint = shim_signal_new_failure("failed", type)
}
