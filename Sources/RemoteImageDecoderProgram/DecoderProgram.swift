// Empty: this target makes the package manager build `remote-image-decoder` beside every program
// that uses a product with decoders, where `DecoderLocation` looks first.
