// swift-tools-version: 6.3
import PackageDescription

// A separate package, so that dependents of the library do not fetch its dependencies.
let package = Package(
    name: "remote-image-examples",
    // Those of the library, so that both packages share their builds with and without it.
    traits: [.default(enabledTraits: ["URL"]), .trait(name: "URL")],
    dependencies: [
        .package(name: "remote-image", path: "..", traits: [.trait(name: "URL", condition: .when(traits: ["URL"]))]),
        .package(
            url: "https://github.com/apple/swift-http-types", from: "1.8.0",
            traits: [.trait(name: "FoundationURL", condition: .when(traits: ["URL"]))]),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    ],
    targets: [
        .target(
            name: "GalleryServer",
            dependencies: [
                .product(name: "RemoteImage", package: "remote-image"),
                .product(name: "FlyingFox", package: "FlyingFox"),
                .product(name: "FlyingSocks", package: "FlyingFox"),
            ],
            path: "GalleryServer",
            // Images are painted quickly in debug builds too.
            swiftSettings: [.unsafeFlags(["-O"], .when(configuration: .debug))]),
        .executableTarget(
            name: "Gallery",
            dependencies: [
                "GalleryServer",
                .product(name: "RemoteImageGtk", package: "remote-image"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Gallery"),
        .executableTarget(
            name: "Embedding",
            dependencies: [
                .product(name: "RemoteImageGtk", package: "remote-image")
            ],
            path: "Embedding/swift"),
        .executableTarget(
            name: "Smallest", dependencies: [.product(name: "RemoteImageGtk", package: "remote-image")],
            path: "Smallest"),
        .executableTarget(
            name: "Photos", dependencies: [.product(name: "RemoteImageGtk", package: "remote-image")], path: "Photos"),
        .executableTarget(
            name: "Thumbnails", dependencies: [.product(name: "RemoteImage", package: "remote-image")],
            path: "Thumbnails"),
        .executableTarget(
            name: "Avatars", dependencies: [.product(name: "RemoteImageGtk", package: "remote-image")],
            path: "Avatars"),
        .executableTarget(
            name: "Timeline", dependencies: [.product(name: "RemoteImageGtk", package: "remote-image")],
            path: "Timeline"),
        .target(
            name: "URLSessionLoader",
            dependencies: [.product(name: "RemoteImageCore", package: "remote-image")],
            path: "URLSessionLoader"),
        .testTarget(
            name: "GalleryServerTests",
            dependencies: ["GalleryServer", .product(name: "RemoteImage", package: "remote-image")]),
        .testTarget(
            name: "IsolationTests", dependencies: [.product(name: "RemoteImage", package: "remote-image")]),
        .testTarget(
            name: "URLSessionLoaderTests",
            dependencies: [
                "GalleryServer", "URLSessionLoader",
                .product(name: "FlyingFox", package: "FlyingFox"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "RemoteImage", package: "remote-image"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
