// swift-tools-version: 6.3
import PackageDescription

// A separate package, so that users of the library do not fetch it.
let package = Package(
    name: "remote-image-benchmarks",
    dependencies: [
        .package(name: "remote-image", path: "..", traits: [])
    ],
    targets: [
        .target(name: "CAllocationCounter"),
        .executableTarget(
            name: "benchmarks",
            dependencies: [
                "CAllocationCounter",
                .product(name: "RemoteImage", package: "remote-image"),
            ]),
        .executableTarget(
            name: "window",
            dependencies: [
                .product(name: "RemoteImageGtk", package: "remote-image"),
                .product(name: "CRemoteImageGtk", package: "remote-image"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
