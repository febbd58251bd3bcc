// swift-tools-version: 6.3
// The example of the page In other Swift toolkits. Building it requires libadwaita 1.6, SQLite, and
// a GLib older than 2.90.

import PackageDescription

let package = Package(
    name: "Browser",
    dependencies: [
        .package(name: "remote-image", path: "../../.."),
        .package(
            url: "https://github.com/AparokshaUI/adwaita-swift", revision: "c8376967ff573abf4e49ade5250883da6a632f30"),
    ],
    targets: [
        .executableTarget(
            name: "Browser",
            dependencies: [
                .product(name: "RemoteImageGtk", package: "remote-image"),
                .product(name: "Adwaita", package: "adwaita-swift"),
            ])
    ]
)
