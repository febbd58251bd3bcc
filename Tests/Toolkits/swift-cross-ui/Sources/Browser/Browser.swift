import GtkBackend
import SwiftCrossUI

@main
struct Browser: App {
    @State var index = 0
    let addresses = Array(CommandLine.arguments.dropFirst())

    var body: some Scene {
        WindowGroup("Browser") {
            VStack {
                RemoteImage(address: addresses[index])
                Button("Next") { index = (index + 1) % addresses.count }
            }
        }
        .defaultSize(width: 480, height: 360)
    }
}
