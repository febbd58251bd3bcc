// error: make main synchronous
import RemoteImageGtk

@main
struct Program {
    static func main() async {
        await Task.yield()
        Application("org.example.Program").run("Cats") { title in
            Window(title) { Label("text") }
        }
    }
}
