// swift-tools-version: 6.3
import PackageDescription

// A separate package, which scripts/fuzz.sh builds with libFuzzer and AddressSanitizer.
let package = Package(
    name: "remote-image-fuzz",
    dependencies: [
        .package(name: "remote-image", path: "../..")
    ],
    targets: [
        .executableTarget(
            name: "fuzz-decoders",
            dependencies: [.product(name: "RemoteImageInProcessDecoders", package: "remote-image")],
            path: "Decoders")
    ],
    swiftLanguageModes: [.v6]
)
