import CRemoteImageGtk
import RemoteImageGtk

/// The panel beside every page: the work of the pipeline, and switches for the server, the cache
/// and the desktop.
@MainActor
final class Panel {
    let widget: Widget
    private let context: GalleryContext
    private var values: [Figure: Widget] = [:]

    private enum Figure: String, CaseIterable {
        case transfers = "Transfers"
        case open = "Waiting"
        case requests = "Requests"
        case hits = "From memory"
        case failures = "Failures"
        case bytes = "Received"
        case cache = "Memory cache"
        case process = "Process"
    }

    /// - Parameter root: The widget on which the cache policy is set for all views below it.
    init(_ context: GalleryContext, root: Widget) {
        self.context = context
        widget = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 6))
        gtk_widget_add_css_class(widget.pointer, "panel")
        // The labels of the rows expand, which would otherwise make the panel expand.
        gtk_widget_set_hexpand(widget.pointer, 0)
        addFigures()
        addServer()
        addCache(root)
        addDesktop()
        follow()
    }

    private func add(_ child: Widget) {
        gtk_box_append(widget.cast(to: GtkBox.self), child.pointer)
    }

    private func addFigures() {
        add(Controls.heading("Live"))
        for figure in Figure.allCases {
            let value = Widget(gtk_label_new("0"))
            gtk_widget_add_css_class(value.pointer, "numeric")
            values[figure] = value
            add(Controls.row(figure.rawValue, value))
        }
    }

    private func addServer() {
        let context = context
        add(Controls.heading("Server"))
        let speeds: [Int?] = [nil, 500_000, 100_000, 20_000]
        add(
            Controls.choice("Speed", ["Full", "500 kB/s", "100 kB/s", "20 kB/s"]) { index in
                context.change { $0.bytesPerSecond = speeds[index] }
            })
        add(
            Controls.choice("Failures", ["Few", "One in three", "All"]) { index in
                context.change { $0.failures = [.few, .some, .all][index] }
            })
    }

    private func addCache(_ root: Widget) {
        add(Controls.heading("Cache"))
        let policies = CachePolicy.allCases
        add(
            Controls.choice("Policy", policies.map(\.rawValue)) { index in
                var options = root.imageOptions ?? ImageOptions()
                options.cachePolicy = policies[index]
                root.imageOptions = options
            })
        let pipeline = context.pipeline
        add(
            Button("Clear memory cache") {
                pipeline.configuration.memoryCache?.removeAll()
            }.content)
    }

    private func addDesktop() {
        let desktop = context.desktop
        add(Controls.heading("Desktop"))
        add(Controls.toggle("Network", isOn: true) { desktop.state.isConnected = $0 })
        add(Controls.toggle("Metered", isOn: false) { desktop.state.isMetered = $0 })
        add(Controls.toggle("Power saver", isOn: false) { desktop.state.isPowerSaving = $0 })
        add(Button("Simulate low memory") { desktop.runShortOfMemory() }.content)
        add(Controls.toggle("Dark", isOn: Style.isDark) { Style.isDark = $0 })
    }

    // MARK: Figures

    /// Updates the figures four times per second while the panel exists.
    private func follow() {
        update()
        Task { [weak self] in
            while self != nil {
                try? await Task.sleep(for: .milliseconds(250))
                self?.update()
            }
        }
    }

    private func update() {
        let counts = context.figures.counts
        let cache = context.pipeline.configuration.memoryCache as? MemoryCache
        for (figure, value) in values {
            let text =
                switch figure {
                case .transfers: "\(counts.transferCount)"
                case .open: "\(max(0, counts.openCount - counts.transferCount))"
                case .requests: "\(counts.requestCount)"
                case .hits: "\(counts.memoryHitCount)"
                case .failures: "\(counts.failureCount)"
                case .bytes: Self.megabytes(counts.byteCount)
                case .cache: Self.megabytes(cache?.cost ?? 0)
                case .process: Self.megabytes(ProcessMemory.byteCount ?? 0)
                }
            gtk_label_set_text(value.opaque, text)
        }
    }

    private static func megabytes(_ count: Int) -> String {
        "\(count / 1_000_000).\(count / 100_000 % 10) MB"
    }
}
