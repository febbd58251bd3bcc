// A window with many images: for comparison with the rivals in ../../Rivals, and for measurements
// that need a window.
//
//   window load URLS         shows all images; ends when all of them are loaded and drawn
//   window calls URLS        like load; also measures the library's work within frames
//   window looks URLS        like calls, with the library's placeholders while an image loads
//   window scroll URLS       a GtkGridView, scrolled from end to end twice
//   window flick URLS        the same with larger images, at 3,000 points a second
//   window empty             a window without images, as the baseline of GTK itself
//   window idle URLS         like load, followed by three idle seconds
//   window animations URLS   animations, played for eight seconds
//   window formats           the cost of opaque images in the renderer, by pixel format
//
// GSK_RENDERER names the renderer.
//
// URLS is a file with an address a line. Each mode prints one JSON object.

import CRemoteImageGtk
import Glibc
import RemoteImageGtk

@main
struct Main {
    // Synchronous, since GTK's main loop occupies the main thread, where the main actor runs.
    static func main() {
        setlocale(LC_ALL, "")
        let arguments = CommandLine.arguments
        guard arguments.count > 1 else {
            print("usage: window load|calls|looks|scroll|flick|empty|idle|animations|formats [URLS]")
            exit(64)
        }
        gtk_init()
        MainLoopWatch.start()
        MainActor.assumeIsolated {
            let addresses = arguments.count > 2 ? readAddresses(arguments[2]) : []
            let report =
                switch arguments[1] {
                case "load": LoadTrial(addresses).run()
                case "calls": LoadTrial(addresses, watchesCalls: true).runWithCalls()
                case "looks": LoadTrial(addresses, .standard, watchesCalls: true).runWithCalls()
                case "idle": LoadTrial(addresses).runIdle()
                case "animations": AnimationTrial(addresses).run()
                case "formats": FormatsTrial()?.run() ?? Report()
                case "scroll": ScrollTrial(addresses).run()
                case "flick": ScrollTrial(addresses, .flick).run()
                default: LoadTrial([]).run()
                }
            print(report.text)
        }
    }

    private static func readAddresses(_ path: String) -> [String] {
        var text: UnsafeMutablePointer<CChar>?
        guard g_file_get_contents(path, &text, nil, nil) != 0, let text else {
            print("\(path) cannot be read.")
            exit(66)
        }
        defer { g_free(text) }
        return String(cString: text).split(separator: "\n").map(String.init)
    }
}

/// A flat JSON object.
struct Report {
    private var fields: [String] = []

    mutating func add(_ name: String, _ value: Int) { fields.append("\"\(name)\":\(value)") }
    mutating func add(_ name: String, seconds value: Double) { fields.append("\"\(name)\":\(value)") }

    var text: String { "{\(fields.joined(separator: ","))}" }
}
