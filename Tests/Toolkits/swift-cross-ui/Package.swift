// swift-tools-version: 6.3
// The example of the page In other Swift toolkits.

import PackageDescription

let package = Package(
    name: "Browser",
    dependencies: [
        .package(name: "remote-image", path: "../../.."),
        .package(
            url: "https://github.com/stackotter/swift-cross-ui", revision: "f651d7e35648ecafa3e5e73023be40a351bd8c96"),
    ],
    targets: [
        .executableTarget(
            name: "Browser",
            dependencies: [
                .product(name: "RemoteImageGtk", package: "remote-image"),
                .product(name: "SwiftCrossUI", package: "swift-cross-ui"),
                .product(name: "GtkBackend", package: "swift-cross-ui"),
            ])
    ]
)
