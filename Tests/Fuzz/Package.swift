// swift-tools-version: 6.2
import PackageDescription

// A package of its own: it is built with libFuzzer and AddressSanitizer, by scripts/fuzz.sh.
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
