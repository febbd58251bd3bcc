import RemoteImageGtk

/// A page that shows one part of the library.
enum FeaturePage: String, CaseIterable {
    case failures, list, phases, transitions, drawing, animations, zoom, paintables, menu, options, sources, desktop
    case accessibility, keyboard

    var title: String {
        switch self {
        case .failures: "Slow and broken images"
        case .list: "A long list"
        case .phases: "Phases"
        case .transitions: "Transitions"
        case .drawing: "Drawing and processing"
        case .animations: "Animations"
        case .zoom: "Zoom"
        case .paintables: "Icons and backgrounds"
        case .menu: "Context menu"
        case .options: "Inherited options"
        case .sources: "Sources"
        case .desktop: "State of the desktop"
        case .accessibility: "Accessibility"
        case .keyboard: "Keyboard"
        }
    }

    var icon: String {
        switch self {
        case .failures: "network-error-symbolic"
        case .list: "view-list-symbolic"
        case .phases: "content-loading-symbolic"
        case .transitions: "media-playlist-shuffle-symbolic"
        case .drawing: "applications-graphics-symbolic"
        case .animations: "media-playback-start-symbolic"
        case .zoom: "zoom-in-symbolic"
        case .paintables: "image-x-generic-symbolic"
        case .menu: "open-menu-symbolic"
        case .options: "preferences-system-symbolic"
        case .sources: "network-server-symbolic"
        case .desktop: "video-display-symbolic"
        case .accessibility: "preferences-desktop-accessibility-symbolic"
        case .keyboard: "input-keyboard-symbolic"
        }
    }

    /// The number of images on the page that load for ever.
    var endlessCount: Int {
        switch self {
        case .phases: 3
        case .paintables, .accessibility: 1
        default: 0
        }
    }

    @MainActor @WidgetBuilder
    func content(_ features: FeatureState) -> DeclaredWidget {
        let server = features.server
        switch self {
        case .failures: FailuresPage(server: server)
        case .list: LongListPage(server: server)
        case .phases: PhasesPage(features: features)
        case .transitions: TransitionsPage(features: features)
        case .drawing: DrawingPage(server: server)
        case .animations: AnimationsPage(server: server)
        case .zoom: ZoomPage(features: features)
        case .paintables: PaintablesPage(features: features)
        case .menu: MenuPage(server: server)
        case .options: OptionsPage(features: features)
        case .sources: SourcesPage(server: server)
        case .desktop: DesktopPage(server: server)
        case .accessibility: AccessibilityPage(server: server)
        case .keyboard: KeyboardPage(features: features)
        }
    }
}
