// swift-tools-version: 6.2
import PackageDescription

// A package of its own: who depends on the library fetches nothing of this.
let package = Package(
    name: "remote-image-benchmarks",
    dependencies: [
        .package(name: "remote-image", path: "..")
    ],
    targets: [
        .target(name: "CAllocationCounter"),
        .executableTarget(
            name: "benchmarks",
            dependencies: [
                "CAllocationCounter",
                .product(name: "RemoteImagePixbuf", package: "remote-image"),
            ]),
        .executableTarget(
            name: "window",
            dependencies: [
                .product(name: "RemoteImageGtk", package: "remote-image"),
                .product(name: "CGtk", package: "remote-image"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
