import RemoteImageGtk

/// The statuses, and at their end a row that says whether there are more.
struct StatusList: WidgetDeclaration {
    private enum Entry: Identifiable {
        case status(Status)
        /// A list reports its end again only if rows were added there: after each page, this is
        /// another row.
        case end(count: Int)

        var id: String {
            switch self {
            case .status(let status): status.id
            case .end(let count): "end \(count)"
            }
        }
    }

    let model: TimelineModel

    var body: DeclaredWidget {
        ImageList(model.statuses.map(Entry.status) + [.end(count: model.statuses.count)]) { entry in
            switch entry {
            case .status(let status):
                StatusRow(status: status, model: model)
            case .end:
                EndRow(model: model)
            }
        }
        .cssClass("timeline")
        .onEndReached { model.endReached() }
    }
}

/// The row below the last status.
private struct EndRow: WidgetDeclaration {
    let model: TimelineModel

    var body: DeclaredWidget {
        Column(spacing: 6) {
            switch model.end {
            case .open, .loading: Spinner()
            case .reached: Label("No more posts").cssClass("dim-label")
            case .failed(let message):
                Label(message)
                Button("Try again") { model.loadOlder() }
            }
        }
        .padding(16)
    }
}

/// Says that the statuses may be old.
struct Banner: WidgetDeclaration {
    let text: String
    let retry: @MainActor () -> Void

    var body: DeclaredWidget {
        Row(spacing: 12) {
            Icon("network-offline-symbolic")
            Label(text).textAlignment(0).expand(vertical: false)
            Button("Try again", action: retry)
        }
        .cssClass("banner")
    }
}
