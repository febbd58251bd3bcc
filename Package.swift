// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "remote-image",
    products: [
        .library(name: "RemoteImageCore", targets: ["RemoteImageCore"]),
        .library(name: "RemoteImageDecoders", targets: ["RemoteImageDecoders", "RemoteImageDecoderProgram"]),
        .library(name: "RemoteImage", targets: ["RemoteImage", "RemoteImageDecoderProgram"]),
        // For programs that decode in their own process alone, as the fuzzers do.
        .library(name: "RemoteImageInProcessDecoders", targets: ["RemoteImage"]),
        .library(name: "RemoteImageTesting", targets: ["RemoteImageTesting"]),
        .library(name: "RemoteImageGtk", targets: ["RemoteImageGtk", "RemoteImageDecoderProgram"]),
        // GTK's headers, for programs that have no other binding of them.
        .library(name: "CRemoteImageGtk", targets: ["CRemoteImageGtk"]),
        // For programs in other languages; `make install` builds it so that it needs no Swift.
        .library(name: "remoteimage", type: .dynamic, targets: ["RemoteImageC"]),
        .executable(name: "remote-image", targets: ["remote-image"]),
        // Decodes for IsolatedDecoder, which looks for it beside the program and in libexec.
        .executable(name: "remote-image-decoder", targets: ["remote-image-decoder"]),
    ],
    traits: [
        .default(enabledTraits: ["URL"]),
        .trait(name: "URL", description: "Sources from Foundation's URL; links FoundationEssentials."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(
            url: "https://github.com/apple/swift-http-types", from: "1.8.0",
            traits: [.trait(name: "FoundationURL", condition: .when(traits: ["URL"]))]),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.4"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    ],
    // A target also names the modules that it uses through another one: otherwise a change of only
    // theirs does not compile it again.
    targets: [
        .systemLibrary(name: "CRemoteImageCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CRemoteImageGtk", pkgConfig: "gtk4", providers: [.apt(["libgtk-4-dev"])]),
        .target(name: "CRemoteImageGdkPixbuf"),
        .target(name: "CRemoteImagePlatform"),
        .target(name: "CRemoteImagePixels"),
        // What decoders share: formats, headers, pixels. Without network, for the decoder process.
        .target(
            name: "RemoteImageDecoding",
            dependencies: ["CRemoteImagePlatform", .product(name: "DequeModule", package: "swift-collections")]),
        .target(
            name: "RemoteImageCore",
            dependencies: [
                "RemoteImageDecoding", "CRemoteImageCurl", "CRemoteImagePlatform",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HeapModule", package: "swift-collections"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .target(name: "CRemoteImageCodecs", linkerSettings: [.linkedLibrary("jpeg"), .linkedLibrary("png16")]),
        .target(
            name: "RemoteImageDecoders",
            dependencies: [
                "RemoteImageDecoding", "CRemoteImageCodecs", "CRemoteImageGdkPixbuf", "CRemoteImagePixels",
                "CRemoteImagePlatform", .product(name: "Logging", package: "swift-log"),
            ]),
        .target(
            name: "RemoteImage",
            dependencies: [
                "RemoteImageCore", "RemoteImageDecoders", "RemoteImageDecoding", "CRemoteImageGdkPixbuf",
                .product(name: "Logging", package: "swift-log"),
            ]),
        // Without RemoteImageCore, and thus without libcurl: what decodes files from the network
        // holds no code that could reach it.
        .executableTarget(
            name: "remote-image-decoder",
            dependencies: ["RemoteImageDecoders", "RemoteImageDecoding", "CRemoteImagePlatform"]),
        // Nothing but a dependency: programs that use the products above are built with the decoder
        // program beside them.
        .target(name: "RemoteImageDecoderProgram", dependencies: ["remote-image-decoder"]),
        .target(
            name: "RemoteImageTesting",
            dependencies: [
                "RemoteImageCore", "RemoteImageDecoding", .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
        // Declared widgets, their states and the application. Without RemoteImageCore: it knows no
        // images, and takes only a lock and a time slice from RemoteImageDecoding.
        .target(
            name: "GtkDeclarations", dependencies: ["RemoteImageDecoding", "CRemoteImageGtk", "CRemoteImagePlatform"]),
        .target(
            name: "RemoteImageGtk",
            dependencies: [
                "GtkDeclarations", "RemoteImage", "RemoteImageCore", "RemoteImageDecoding", "CRemoteImageGtk",
                "CRemoteImagePlatform",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
        // The library for programs in C, Python and Vala: its header, and what stands behind it.
        .target(name: "CRemoteImage", dependencies: ["CRemoteImageGtk"]),
        .target(
            name: "RemoteImageC",
            dependencies: [
                "CRemoteImage", "RemoteImageGtk", "GtkDeclarations", "RemoteImageCore", "RemoteImageDecoding",
                "CRemoteImageGtk", "CRemoteImagePlatform", .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
        .executableTarget(
            name: "remote-image",
            dependencies: [
                "RemoteImage", "RemoteImageCore", "RemoteImageDecoding", "remote-image-decoder",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
        .target(
            name: "RemoteImageTestSupport",
            dependencies: [
                "RemoteImageCore", "RemoteImageDecoding", "CRemoteImagePlatform",
                .product(name: "FlyingFox", package: "FlyingFox"),
                .product(name: "FlyingSocks", package: "FlyingFox"),
            ],
            path: "Tests/RemoteImageTestSupport"),
        // Tries what a confined process must not do.
        .executableTarget(
            name: "confinement-trial", dependencies: ["CRemoteImagePlatform"], path: "Tests/ConfinementTrial"),
        .testTarget(
            name: "RemoteImageCoreTests",
            dependencies: [
                "RemoteImage", "RemoteImageCore", "RemoteImageDecoders", "RemoteImageDecoding", "RemoteImageTesting",
                "RemoteImageTestSupport", "CRemoteImageCodecs", "CRemoteImagePixels", "CRemoteImagePlatform",
                "confinement-trial", "remote-image-decoder",
            ]),
        .testTarget(
            name: "RemoteImageCommandTests",
            dependencies: [
                "RemoteImageCore", "RemoteImageDecoding", "RemoteImageTestSupport", "remote-image",
                "remote-image-decoder",
            ]),
        .testTarget(
            name: "RemoteImageGtkTests",
            dependencies: [
                "RemoteImageGtk", "GtkDeclarations", "RemoteImageCore", "RemoteImageDecoding", "RemoteImageTesting",
                "RemoteImageTestSupport",
            ]),
    ],
    swiftLanguageModes: [.v6]
)
