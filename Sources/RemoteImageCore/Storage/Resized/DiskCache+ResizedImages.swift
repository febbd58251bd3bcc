// Resized images in a store on disk.
//
// A body `<hash>-<generation>.b` may have one file `<hash>-<generation>.s` with its resized images.
// It is replaced as a whole, by a rename. It belongs to its body: a lookup finds it only through
// the metadata that names the body, and only while the body exists, so that an old image is never
// found after its body was replaced. If two processes write at the same time, the images of one of
// them are lost, and made again later.

import Glibc

extension DiskCache {
    public var keepsResizedImages: Bool { true }

    public func resizedImage(
        of response: StoredResponse, for key: String, choosing choose: ([ResizedImage.Description]) -> Int?
    ) -> ResizedImage? {
        let name = EntryName(key)
        guard name.owns(response.body.name) else { return nil }
        return try? shard(name).withDescriptor { folder in
            guard Self.hasBody(response, in: folder) else { return nil }
            return Self.withTable(of: response, in: folder) { file, table, start in
                guard let index = choose(table.rows.map(\.description)), table.rows.indices.contains(index) else {
                    return nil
                }
                return image(table.rows[index], in: file, start)
            }
        }
    }

    public func store(_ image: ResizedImage, of response: StoredResponse, for key: String) {
        let name = EntryName(key)
        let byteCount = image.data.count
        guard name.owns(response.body.name), byteCount <= sizes.entryLimit,
            sizes.makeRoomForResized(byteCount)
        else { return }
        try? sizes.withRoom(for: byteCount, isResized: true) { () throws(StoreFailure) in
            try shard(name).withDescriptor { folder throws(StoreFailure) in
                guard Self.hasBody(response, in: folder) else { throw .missing }
                let file = file(adding: image, to: response, in: folder)
                try StoreFolder.write(file, as: EntryName.resized(of: response.body.name), in: folder)
                // The entry may have been removed or replaced during the write, by another process
                // that did not see this file yet.
                if !Self.hasBody(response, in: folder) {
                    unlinkat(folder, EntryName.resized(of: response.body.name), 0)
                    throw .missing
                }
            }
        }
    }

    public func removeResizedImages(of response: StoredResponse, for key: String) {
        let name = EntryName(key)
        guard name.owns(response.body.name) else { return }
        try? shard(name).withExisting { folder in
            unlinkat(folder, EntryName.resized(of: response.body.name), 0)
        }
    }

    /// The resized images of a stored response.
    public func resizedImages(of response: StoredResponse, for key: String) -> [ResizedImage.Description] {
        var found: [ResizedImage.Description] = []
        _ = resizedImage(of: response, for: key) { descriptions in
            found = descriptions
            return nil
        }
        return found
    }

    /// Removes all resized images and keeps their originals.
    ///
    /// - Returns: An ``ImageError/Code/io`` error if one could not be removed.
    @discardableResult
    public func removeResizedImages() -> Result<Void, ImageError> {
        result { () throws(StoreFailure) in try sizes.trimResized(to: 0, waiting: .untilFree) }
    }

    /// The number of bytes that the files with resized images occupy on disk.
    public var resizedByteCount: Int { StoreScan.files(in: base).reduce(0) { $0 + ($1.isResized ? $1.byteCount : 0) } }

    // MARK: Files

    private static func hasBody(_ response: StoredResponse, in folder: Int32) -> Bool {
        var status = stat()
        return fstatat(folder, response.body.name, &status, AT_SYMLINK_NOFOLLOW) == 0
            && status.st_size >= response.body.byteCount
    }

    /// The bytes at the start of a file that are read at once. They contain the table, and often
    /// the image.
    private static let startByteCount = 64 << 10

    private static func withTable<Value>(
        of response: StoredResponse, in folder: Int32,
        _ body: (_ file: Int32, ResizedImageTable, _ start: [UInt8]) -> Value?
    ) -> Value? {
        StoreFolder.withFile(EntryName.resized(of: response.body.name), in: folder) { file, size in
            guard let start = try? FileBytes.read(min(size, startByteCount), from: file),
                let table = ResizedImageTable(start[...], of: response.body, fileSize: size)
            else { return nil }
            return body(file, table, start)
        }
    }

    private func image(_ row: ResizedImageTable.Row, in file: Int32, _ start: [UInt8]) -> ResizedImage? {
        guard row.byteCount <= sizes.fileLimit else { return nil }
        let end = row.offset + row.byteCount
        var data: [UInt8]
        if end <= start.count {
            data = Array(start[row.offset..<end])
        } else {
            guard lseek(file, off_t(row.offset), SEEK_SET) == row.offset,
                let read = try? FileBytes.read(row.byteCount, from: file)
            else { return nil }
            data = read
        }
        guard data.count == row.byteCount, XXHash64.hash(data) == row.checksum else { return nil }
        return ResizedImage(row.description, data: data)
    }

    /// The images of a body with a new one, which replaces that of the same step and processing.
    private func file(adding image: ResizedImage, to response: StoredResponse, in folder: Int32) -> [UInt8] {
        let new = image.description
        let old = Self.withTable(of: response, in: folder) { file, table, start in
            table.rows.filter { !$0.description.hasPlace(of: new) }
                .suffix(ResizedImageTable.rowLimit - 1).compactMap { self.image($0, in: file, start) }
        }
        return ResizedImageTable.file(of: response.body, (old ?? []) + [image])
    }
}
