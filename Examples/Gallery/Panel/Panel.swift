import GalleryServer
import RemoteImageGtk

/// The work of the pipeline, and switches for the server, the cache and the desktop.
struct Panel: WidgetDeclaration {
    let model: GalleryModel
    let features: FeatureState

    var body: DeclaredWidget {
        ScrollView {
            FlowBox(columns: 1...4, spacing: 18) {
                PanelGroup("Live") { figures }
                PanelGroup("Server") { serverSwitches }
                PanelGroup("Cache") { cacheSwitches }
                PanelGroup("Desktop") { desktopSwitches }
            }
            .padding(12)
        }
        .frame(height: 200).expand(vertical: false).cssClass("panel")
    }

    @WidgetBuilder
    private var figures: [DeclaredWidget] {
        let live = model.pipeline
        Figure("Transfers", "\(live.counts.transferCount)")
        Figure("Waiting", "\(max(0, live.counts.openCount - live.counts.transferCount))")
        Figure("Requests", "\(live.counts.requestCount)")
        Figure("From memory", "\(live.counts.memoryHitCount)")
        Figure("Failures", "\(live.counts.failureCount)")
        Figure("Received", megabytes(live.counts.byteCount))
        Figure("Memory cache", megabytes(live.cachedByteCount))
    }

    @WidgetBuilder
    private var serverSwitches: [DeclaredWidget] {
        Label("Speed").textAlignment(0)
        Picker(
            "Speed", selection: Binding(features.server, \.behaviour.bytesPerSecond),
            choices: [("Full", nil), ("500 kB/s", 500_000), ("100 kB/s", 100_000), ("20 kB/s", 20_000)])
        Label("Failures").textAlignment(0)
        Picker(
            "Failures", selection: Binding(features.server, \.behaviour.failures),
            choices: [("Few", .few), ("One in three", .some), ("All", .all)])
    }

    @WidgetBuilder
    private var cacheSwitches: [DeclaredWidget] {
        Label("Policy").textAlignment(0)
        Picker(
            "Cache policy", selection: Binding(features, \.cachePolicy),
            choices: CachePolicy.allCases.map { ($0.rawValue, $0) })
        Button("Clear memory cache") { model.pipeline.clearMemoryCache() }.align(horizontal: .start)
    }

    @WidgetBuilder
    private var desktopSwitches: [DeclaredWidget] {
        let desktop = model.pipeline.desktop
        Toggle("Network", isOn: Binding(desktop, \.state.isConnected))
        Toggle("Metered", isOn: Binding(desktop, \.state.isMetered))
        Toggle("Power saver", isOn: Binding(desktop, \.state.isPowerSaving))
        Picker(
            "Style", selection: Binding(model, \.isDark), choices: [("System", nil), ("Light", false), ("Dark", true)])
        Button("Simulate low memory") { desktop.runShortOfMemory() }.align(horizontal: .start)
    }

    private func megabytes(_ count: Int) -> String {
        "\(count / 1_000_000).\(count / 100_000 % 10) MB"
    }
}

/// Widgets of the panel under a heading.
private struct PanelGroup: WidgetDeclaration {
    let title: String
    let content: @MainActor () -> [DeclaredWidget]

    init(_ title: String, @WidgetBuilder content: @escaping @MainActor () -> [DeclaredWidget]) {
        (self.title, self.content) = (title, content)
    }

    var body: DeclaredWidget {
        Column(spacing: 6) {
            Label(title).textAlignment(0).cssClass("heading")
            Column(spacing: 6, content: content)
        }
        .frame(width: 160)
    }
}

/// A name at the start of a line and a value at its end.
private struct Figure: WidgetDeclaration {
    let name: String
    let value: String

    init(_ name: String, _ value: String) {
        (self.name, self.value) = (name, value)
    }

    var body: DeclaredWidget {
        Row(spacing: 12) {
            Label(name).textAlignment(0).expand(vertical: false)
            Label(value).cssClass("numeric")
        }
    }
}
