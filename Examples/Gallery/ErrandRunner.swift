import Foundation
import RemoteImageGtk

/// Does what the command line asks for once the images are loaded, and ends the program.
@MainActor
struct ErrandRunner {
    let model: GalleryModel

    func run(_ errand: GalleryOptions.Errand) async {
        do {
            try await settle()
            switch errand {
            case .screenshot(let path): try await takeScreenshot(path)
            case .screenshots(let folder): try await takeScreenshots(into: folder)
            case .scroll:
                model.scroll.start()
                while model.scroll.isRunning { try await Task.sleep(for: .milliseconds(100)) }
                print(model.scroll.report)
            }
            exit(EXIT_SUCCESS)
        } catch {
            FileHandle.standardError.write(Data("gallery: \(error)\n".utf8))
            exit(EXIT_FAILURE)
        }
    }

    private func takeScreenshots(into folder: String) async throws {
        try await takeScreenshot("\(folder)/photographs.jpg")
        if let photograph = model.photographs.dropFirst(6).first ?? model.photographs.first { model.open(photograph) }
        try await takeScreenshot("\(folder)/large.jpg")
        model.close()
        model.section = .feed
        try await takeScreenshot("\(folder)/feed.jpg")
        model.section = .features
        try await takeScreenshot("\(folder)/features.jpg")
        model.showsPanel = true
        for page in FeaturePage.allCases {
            model.page = page
            try await takeScreenshot("\(folder)/\(page).jpg")
        }
    }

    /// Waits until all visible images are loaded, at most a minute.
    private func settle() async throws {
        // Endless images show their spinners later, and GTK draws the last change.
        try await Task.sleep(for: .seconds(1))
        let deadline = ContinuousClock.now.advanced(by: .seconds(60))
        while !model.isReady || model.pipeline.openCount > model.endlessCount {
            if let failure = model.failure { throw GalleryError(description: failure) }
            guard ContinuousClock.now < deadline else {
                throw GalleryError(description: "Some images were not loaded after a minute.")
            }
            try await Task.sleep(for: .milliseconds(100))
        }
        try await Task.sleep(for: .milliseconds(600))
    }

    private func takeScreenshot(_ path: String) async throws {
        try await settle()
        guard let pixels = await model.window.widget?.rendered() else {
            throw GalleryError(description: "The window is not on a display.")
        }
        // A low quality keeps the files small enough for the repository; screenshots at scale 2
        // need even less.
        let quality = pixels.size.width > 1400 ? 28 : 45
        let bytes = try pixels.encoded(as: path.hasSuffix(".jpg") ? .jpeg(quality: quality) : .png)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        print("Screenshot written: \(path)")
    }
}
