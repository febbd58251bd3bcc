// A client of a social network: the home timeline of an account, from a server with the Mastodon
// API.
//
//   Examples/TimelineServer/server.py    prints ADDRESS and CODE, and serves
//   echo CODE | swift run --package-path Examples Timeline ADDRESS
//
// Later starts need no code, and show the stored posts and images if the server cannot be reached.

import Foundation
import RemoteImageGtk

@main
struct Timeline {
    static func main() {
        guard let address = CommandLine.arguments.dropFirst().first, let server = URL(string: address) else {
            print("usage: Timeline ADDRESS")
            exit(2)
        }
        let session = Session(server)
        let authorization = AuthorizationProvider(account: "me@\(server.host() ?? "")", origins: [address]) { request in
            try await session.credential(replacing: request.refusal?.credential)
        }
        ImagePipeline.configureShared {
            $0.options = ImageOptions(transition: .crossFade, authorization: authorization)
        }
        Application("org.example.Timeline", isUnique: false).styleSheet(style)
            .run(TimelineModel(HomeTimeline(server, session))) { model in
                Window("Timeline", width: 480, height: 800) {
                    if let problem = model.problem {
                        Banner(text: problem) { model.reload() }
                    }
                    if model.statuses.isEmpty {
                        if model.end == .loading {
                            Spinner().expand()
                        } else if model.problem == nil {
                            Label("No posts").expand()
                        }
                    } else {
                        StatusList(model: model)
                    }
                }
            }
    }

    private static let style = """
        .name { font-weight: bold; }
        .warning { font-style: italic; }
        .banner { background: alpha(@theme_selected_bg_color, 0.2); padding: 6px 16px; }
        .timeline row { border-bottom: 1px solid alpha(currentColor, 0.12); background: none; }
        .image { background: alpha(currentColor, 0.07); border-radius: 8px; }
        """
}
