// swift-tools-version: 6.3
import PackageDescription

// A separate package: like a program of a user, the snippets see the public interface alone.
let package = Package(
    name: "remote-image-seeds",
    // Those of the library, so that both packages share their builds with and without it.
    traits: [.default(enabledTraits: ["URL"]), .trait(name: "URL")],
    dependencies: [
        .package(name: "remote-image", path: "../..", traits: [.trait(name: "URL", condition: .when(traits: ["URL"]))]),
        .package(
            url: "https://github.com/apple/swift-http-types", from: "1.8.0",
            traits: [.trait(name: "FoundationURL", condition: .when(traits: ["URL"]))]),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    ],
    targets: [
        .testTarget(
            name: "SeedsTests",
            dependencies: [
                .product(name: "CRemoteImageGtk", package: "remote-image"),
                .product(name: "FlyingFox", package: "FlyingFox"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "RemoteImage", package: "remote-image"),
                .product(name: "RemoteImageGtk", package: "remote-image"),
                .product(name: "RemoteImageTesting", package: "remote-image"),
            ],
            path: "Tests")
    ],
    swiftLanguageModes: [.v6]
)
