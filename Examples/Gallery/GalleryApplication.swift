import CRemoteImageGtk
import GalleryServer
import RemoteImageGtk

/// Runs the program: starts a server if needed, opens the window, and waits for the end.
@MainActor
final class GalleryApplication {
    enum Images {
        case addresses([String])
        case folder(ImageFolder)
        case generated(count: Int)
    }

    /// A task that the program does before it ends. Without one it runs until its window is closed.
    enum Errand {
        case screenshot(path: String)
        /// Screenshots of all pages, written into a folder.
        case screenshots(folder: String)
        case scroll
    }

    /// The appearance of the window and its initial content.
    struct Looks {
        var isDark = false
        var isRightToLeft = false
        /// In points.
        var size = (width: 1080, height: 760)
        var page: Page?
        /// The index of the image in the large view, from 0.
        var opened: Int?
    }

    private let images: Images
    private let looks: Looks
    private let errand: Errand?
    private var server: GalleryServer?
    private var window: GalleryWindow?
    private var status: Int32 = 0

    init(images: Images, looks: Looks, errand: Errand?) {
        self.images = images
        self.looks = looks
        self.errand = errand
    }

    /// Runs until the window is closed.
    func run() -> Int32 {
        do {
            try MainLoop.install()
        } catch {
            return fail(error.description)
        }
        guard let application = gtk_application_new("org.remoteimage.Gallery", shim_application_non_unique) else {
            return fail("The application could not be created.")
        }
        defer { g_object_unref(application) }
        Signals.connect("activate", of: OpaquePointer(application)) { [self] in activate(application) }
        let ended = g_application_run(
            UnsafeMutableRawPointer(application).assumingMemoryBound(to: GApplication.self), 0, nil)
        return ended == 0 ? status : ended
    }

    private func activate(_ application: UnsafeMutablePointer<GtkApplication>) {
        if looks.isRightToLeft { gtk_widget_set_default_direction(GTK_TEXT_DIR_RTL) }
        Style.install(isDark: looks.isDark)
        let gApplication = UnsafeMutableRawPointer(application).assumingMemoryBound(to: GApplication.self)
        // Keeps the program running until the window is open.
        g_application_hold(gApplication)
        Task {
            defer { g_application_release(gApplication) }
            do {
                show(try await addresses(), in: application)
            } catch {
                status = fail("\(error)")
            }
        }
    }

    private func addresses() async throws -> [String] {
        switch images {
        case .addresses(let addresses): return addresses
        case .folder(let folder): server = try await .folder(folder)
        case .generated(let count): server = try await .generated(count: count)
        }
        return server?.addresses ?? []
    }

    private func show(_ addresses: [String], in application: UnsafeMutablePointer<GtkApplication>) {
        var context: GalleryContext?
        if case .generated = images { context = server.map(GalleryContext.init) }
        let window = GalleryWindow(application, addresses, context, size: looks.size)
        self.window = window
        if let page = looks.page { window.pages?.show(page) }
        if let opened = looks.opened { window.open(opened) }
        gtk_window_present(window.window.cast(to: GtkWindow.self))
        guard let errand else { return }
        Task {
            await settle(window)
            switch errand {
            case .screenshot(let path): await takeScreenshot(of: window, to: path)
            case .screenshots(let folder): await takeScreenshots(of: window, into: folder)
            case .scroll: print(await window.scrollThrough())
            }
            gtk_window_destroy(window.window.cast(to: GtkWindow.self))
        }
    }

    private func takeScreenshots(of window: GalleryWindow, into folder: String) async {
        await takeScreenshot(of: window, to: "\(folder)/grid.jpg")
        for page in Page.all {
            window.pages?.show(page)
            await settle(window)
            await takeScreenshot(of: window, to: "\(folder)/\(page.name).jpg")
        }
        window.open(6)
        await settle(window)
        await takeScreenshot(of: window, to: "\(folder)/large.jpg")
    }

    /// Waits until all visible images are loaded, at most a minute.
    private func settle(_ window: GalleryWindow) async {
        // After this delay, endless images show their spinners.
        if window.pages?.visible.map({ $0.endlessCount > 0 }) == true { try? await Task.sleep(for: .seconds(2)) }
        let deadline = ContinuousClock.now.advanced(by: .seconds(60))
        repeat {
            // This also gives GTK time to draw the last change.
            try? await Task.sleep(for: .milliseconds(300))
        } while !window.isSettled && ContinuousClock.now < deadline
        if !window.isSettled { status = fail("Some images were not loaded after a minute.") }
        try? await Task.sleep(for: .milliseconds(300))
    }

    private func takeScreenshot(of window: GalleryWindow, to path: String) async {
        do {
            try await Screenshot.write(window.window, to: path)
            print("Screenshot written: \(path)")
        } catch {
            status = fail("\(error)")
        }
    }

    private func fail(_ message: String) -> Int32 {
        StandardError.write("gallery: \(message)")
        return 1
    }
}
