import Adwaita

@main
struct Browser: App {
    let id = "org.example.Browser"
    var app: AdwaitaApp!
    @State private var index = 0
    private let addresses = Array(CommandLine.arguments.dropFirst())

    var scene: Scene {
        Window(id: "main") { _ in
            VStack {
                RemoteImage(address: addresses[index])
                    .vexpand()
                Button("Next") { index = (index + 1) % addresses.count }
            }
        }
        .title("Browser")
        .defaultSize(width: 480, height: 360)
    }
}
