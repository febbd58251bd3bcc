// error: make main synchronous
import RemoteImageGtk

@main
struct Program {
    static func main() async {
        await Task.yield()
        Application("org.example.Program").run {
            Window("Program") { Label("text") }
        }
    }
}
