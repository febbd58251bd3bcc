// The version of the package. It is defined only here; `scripts/version.sh` reads this file.

/// The version of the package (Semantic Versioning 2.0.0).
package enum LibraryVersion {
    package static let string = "1.0.0-rc.1"
}
