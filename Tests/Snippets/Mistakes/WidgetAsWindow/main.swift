// error: put the widgets of a window into Window("title")
import RemoteImageGtk

Application("org.example.Program").run {
    Label("text")
}
