// error: put the widgets of a page into Stack.Page("name")
import RemoteImageGtk

struct Pages: WidgetDeclaration {
    var body: some WidgetDeclaration {
        Stack(selection: "first") {
            Label("text")
        }
    }
}
