// The avatars of an account, which the server gives out for a token. They are stored on disk for
// this account alone, and shown from there while the server cannot be reached.
//
//   echo TOKEN | swift run --package-path Examples Avatars ORIGIN ACCOUNT NAME…
//
// shows the images ORIGIN/NAME, for example https://example.org/anna.

import RemoteImageGtk

@main
struct Avatars {
    static func main() {
        let (arguments, token) = (CommandLine.arguments, readLine() ?? "")
        let authorization = AuthorizationProvider(account: arguments[2], origins: [arguments[1]]) { _ in
            "Bearer \(token)"
        }
        ImagePipeline.configureShared {
            $0.options = ImageOptions(cachePolicy: .staleWhileRevalidate, authorization: authorization)
        }
        Application("org.example.Avatars", isUnique: false).run {
            Window("Avatars", width: 360, height: 480) {
                ImageList(Array(arguments.dropFirst(3)), id: \.self) { name in
                    Row(spacing: 12) {
                        RemoteImageView("\(arguments[1])/\(name)") { image in
                            Picture(image)
                        } placeholder: {
                            Icon("avatar-default-symbolic", size: 32)
                        }
                        .processors([.circle()]).frame(width: 64, height: 64)
                        Label(name)
                    }.padding(6)
                }
            }
        }
    }
}
