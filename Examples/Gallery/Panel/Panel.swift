import GalleryServer
import RemoteImageGtk

/// The work of the pipeline, and switches for the server, the cache and the desktop.
struct Panel: WidgetDeclaration {
    let model: GalleryModel
    let features: FeatureState

    var body: DeclaredWidget {
        Column {
            Column(spacing: 12) {
                FlowBox(columns: 2...7, spacing: 8, content: { figures })
                FlowBox(columns: 2...4, spacing: 8, content: { choices })
                FlowBox(columns: 3...3, spacing: 8, content: { switches })
                FlowBox(columns: 2...2, spacing: 8, content: { buttons })
            }
            .padding(12)
        }
        .expand(vertical: false).cssClass("panel")
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
    private var choices: [DeclaredWidget] {
        Choice(
            "Speed of the server", selection: Binding(features.server, \.behaviour.bytesPerSecond),
            choices: [("Full", nil), ("500 kB/s", 500_000), ("100 kB/s", 100_000), ("20 kB/s", 20_000)])
        Choice(
            "Failures of the server", selection: Binding(features.server, \.behaviour.failures),
            choices: [("Few", .few), ("One in three", .some), ("All", .all)])
        Choice(
            "Cache policy", selection: Binding(features, \.cachePolicy),
            choices: CachePolicy.allCases.map { ($0.title, $0) })
        Choice(
            "Style", selection: Binding(model, \.isDark), choices: [("System", nil), ("Light", false), ("Dark", true)])
    }

    @WidgetBuilder
    private var switches: [DeclaredWidget] {
        let desktop = model.pipeline.follower
        Toggle("Network", isOn: Binding(desktop, \.state.isConnected))
        Toggle("Metered", isOn: Binding(desktop, \.state.isMetered))
        Toggle("Power saver", isOn: Binding(desktop, \.state.isPowerSaving))
    }

    @WidgetBuilder
    private var buttons: [DeclaredWidget] {
        Button("Clear memory cache") { model.pipeline.clearMemoryCache() }.align(horizontal: .fill)
        Button("Simulate low memory") { model.pipeline.follower.freeMemory(keeping: 0) }.align(horizontal: .fill)
    }

    private func megabytes(_ count: Int) -> String {
        "\(count / 1_000_000).\(count / 100_000 % 10) MB"
    }
}

extension CachePolicy {
    fileprivate var title: String {
        self == .http ? "HTTP" : rawValue.prefix(1).uppercased() + rawValue.dropFirst().replacing("-", with: " ")
    }
}

/// A picker below its name.
private struct Choice<Value: Equatable>: WidgetDeclaration {
    let name: String
    let selection: Binding<Value>
    let choices: [(title: String, value: Value)]

    init(_ name: String, selection: Binding<Value>, choices: [(title: String, value: Value)]) {
        (self.name, self.selection, self.choices) = (name, selection, choices)
    }

    var body: DeclaredWidget {
        Column(spacing: 2) {
            Label(name).textAlignment(0)
            Picker(name, selection: selection, choices: choices)
        }
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
