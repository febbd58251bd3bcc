/// Rebuilds damaged PNG files of which libpng decodes nothing or too little.
package enum PNGRepair {
    /// The file without the chunks that the pixels do not need, without colors and transparency
    /// beyond their valid number, and with all available compressed data in one chunk. `nil`
    /// without compressed data.
    ///
    /// - Parameter addsSum: Whether the compressed data gets a checksum, whose value decoders
    ///   ignore.
    package static func file(_ bytes: [UInt8], addsSum: Bool = false) -> [UInt8]? {
        bytes.withReader { reader in
            var (file, data, colorCount, hasData) = (PNGChunks.signature, [UInt8](), 0, false)
            for chunk in PNGChunks(reader) {
                if reader.has("IDAT", at: chunk.name) {
                    data += reader[chunk.content]
                    hasData = true
                } else if hasData {
                    break
                } else if reader.has("PLTE", at: chunk.name) {
                    colorCount = chunk.content.count / 3
                    file += shortened("PLTE", chunk, colorCount * 3, reader)
                } else if reader.has("tRNS", at: chunk.name), chunk.content.count <= 256 {
                    let count = [0: 2, 2: 6][reader.byte(at: 25) ?? 3] ?? colorCount
                    file += shortened("tRNS", chunk, count, reader)
                } else if chunk.isCritical(reader)
                    || PNGAnimation.sharedNames.contains(where: { reader.has($0, at: chunk.name) })
                {
                    file += reader[chunk.whole]
                }
            }
            guard hasData else { return nil }
            if addsSum { data += [0, 0, 0, 0] }
            return file + PNGChunks.make("IDAT", data) + PNGChunks.make("IEND", [])
        }
    }

    /// The chunk with at most `count` bytes of content.
    private static func shortened(
        _ name: StaticString, _ chunk: PNGChunks.Chunk, _ count: Int, _ reader: ByteReader
    ) -> [UInt8] {
        chunk.content.count <= count
            ? Array(reader[chunk.whole]) : PNGChunks.make(name, reader[chunk.content.prefix(count)])
    }

    /// Whether the last rows of an image that is not interlaced, but for a part of the first one,
    /// fit into the longest string of the compression, which has 258 bytes (RFC 1951).
    package static func canBeInLastString(_ rowCount: Int, _ bytes: [UInt8]) -> Bool {
        bytes.withReader { reader in
            guard let width = reader.bigEndian32(at: 16), let depth = reader.byte(at: 24),
                let colorType = reader.byte(at: 25), reader.byte(at: 28) == 0
            else { return false }
            let sampleCount = [1, 1, 3, 1, 2, 3, 4][min(6, Int(colorType))]
            return rowCount - 1 < 258 / (1 + (width * sampleCount * Int(depth) + 7) / 8)
        }
    }
}
