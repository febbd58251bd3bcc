// A window with many images, for comparison with the rivals in ../../Rivals, and for what only a
// window shows.
//
//   window load URLS         shows all of them and ends when all are there and drawn
//   window calls URLS        the same, with what the library does within frames
//   window looks URLS        as calls, with the library's own looks while an image loads
//   window scroll URLS       a grid that makes its rows as it goes, scrolled from end to end
//   window empty             a window without images: what GTK itself takes
//   window idle URLS         as load, then three seconds in which nothing happens
//   window animations URLS   animations, played for eight seconds
//   window formats           what opaque images cost the renderer in each format
//
// GSK_RENDERER names the renderer.
//
// URLS is a file with an address a line. Each prints one JSON object.

import CGtk
import Glibc
import RemoteImageGtk

@main
struct Main {
    // Synchronous: GTK's main loop has the main thread, and the main actor runs on it.
    static func main() {
        setlocale(LC_ALL, "")
        let arguments = CommandLine.arguments
        guard arguments.count > 1 else {
            print("usage: window load|calls|looks|scroll|empty|idle|animations|formats [URLS]")
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
