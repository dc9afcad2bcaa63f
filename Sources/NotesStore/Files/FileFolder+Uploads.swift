import NoteText

extension FileFolder {
    /// Begins or continues an upload.
    ///
    /// A part that is longer than the file, as after another size was stated, is emptied.
    ///
    /// - Parameter freeBytesMin: the free space that the rest of the file must leave on the disk.
    /// - Returns: The offset at which the upload continues; `upload.bytes` if it only has to be finished.
    package func begin(_ upload: FileUpload, freeBytesMin: Int) throws(FileFault) -> Int {
        try demandSynced()
        guard !upload.isEmpty else { return 0 }
        let name = upload.key.name
        let rest = upload.bytes - min(parts[upload.key]?.received ?? 0, upload.bytes)
        try demandRoom(for: rest, freeBytesMin, name)
        let file = try openPart(name)
        defer { calls.close(file) }
        var received = try status(of: file, name, .parts).bytes
        if received > upload.bytes {
            do throws(FolderCallFault) { try calls.truncate(file, to: 0) } catch {
                throw FileFault(error, "\(place(name, .parts)) cannot be emptied")
            }
            received = 0
        }
        let synced = min(parts[upload.key]?.synced ?? 0, received)
        parts[upload.key] = Part(bytes: upload.bytes, received: received, synced: synced, compared: received)
        return received
    }

    /// Opens a part, and makes it if it is missing.
    private func openPart(_ name: String) throws(FileFault) -> Int32 {
        var isOfFile = false
        do throws(FileFault) {
            let file = try open(name, in: .parts)
            defer { calls.close(file) }
            let status = try status(of: file, name, .parts)
            isOfFile = status.names > 1 || status.isProtected
        } catch {
            if error != .missing { throw error }
        }
        // The part of an upload that ended. Its bytes may be those of a file, which never change.
        if isOfFile { try remove(name, from: .parts) }
        return try openForWriting(name)
    }

    /// Appends bytes to an upload, and syncs it every 4 MiB.
    ///
    /// - Returns: The offset up to which the upload has bytes. If it did not end at `offset`, nothing was written.
    /// - Throws: `differs` if the upload would get more bytes than it has; it is gone then. `noRoom` keeps the bytes
    ///   from before.
    package func append(
        _ bytes: ArraySlice<UInt8>, at offset: Int, to upload: FileUpload, freeBytesMin: Int
    ) throws(FileFault) -> Int {
        try demandSynced()
        guard !upload.isEmpty else { return bytes.isEmpty ? 0 : try refuse(upload) }
        if parts[upload.key]?.bytes != upload.bytes { _ = try begin(upload, freeBytesMin: freeBytesMin) }
        guard var part = parts[upload.key], offset == part.received, !bytes.isEmpty else {
            return parts[upload.key]?.received ?? 0
        }
        guard bytes.count <= upload.bytes - offset else { return try refuse(upload) }
        let name = upload.key.name
        if part.received + bytes.count - part.compared >= syncedBytesMax {
            try demandRoom(for: bytes.count, freeBytesMin, name)
            part.compared = part.received
        }
        let file = try openForWriting(name)
        defer { calls.close(file) }
        part.rehash = nil
        do throws(FolderCallFault) { try calls.write(bytes, at: offset, to: file) } catch {
            // Bytes that were written in part are cut off; the next call looks what is there.
            parts[upload.key]?.bytes = nil
            try? calls.truncate(file, to: offset)
            throw FileFault(error, "\(place(name, .parts)) cannot be written")
        }
        part.received += bytes.count
        parts[upload.key] = part
        if part.received - part.synced >= syncedBytesMax { try sync(file, upload.key) }
        return part.received
    }

    /// Ends an upload whose bytes are all there: compares its size and hash, and gives the file its name, which is
    /// durable after `syncNames`.
    ///
    /// - Parameter bytesMax: the bytes that this call rereads at most. Call again until the result is true; an `append`
    ///   or `begin` in between begins the comparison again.
    /// - Returns: Whether the upload has ended.
    /// - Throws: `differs` if size or hash are others, and the upload is gone; `missing` if it has no part.
    package func finish(_ upload: FileUpload, bytesMax: Int = .max) throws(FileFault) -> Bool {
        try demandSynced()
        guard !upload.isEmpty else { return true }
        let name = upload.key.name
        let file = try open(name, in: .parts)
        defer { calls.close(file) }
        let size = try status(of: file, name, .parts).bytes
        guard size == upload.bytes else { return try refuse(upload) }
        var part = parts[upload.key] ?? Part(received: size)
        var rehash = part.rehash ?? Rehash()
        do throws(FileFault) {
            let isWhole = try advance(&rehash, over: file, name, .parts, bytesMax: bytesMax)
            part.rehash = isWhole ? nil : rehash
            parts[upload.key] = part
            guard isWhole else { return false }
        } catch {
            // Bytes that cannot be read are of no use, and the client still has them.
            discard(upload.key)
            throw error
        }
        guard rehash.offset == upload.bytes, rehash.hash == upload.hash else { return try refuse(upload) }
        try sync(file, upload.key)
        try link(upload.key)
        parts[upload.key] = nil
        // Neither failure matters: the next start sets the mode, and a part that stays is no upload (`begin`).
        try? calls.protect(file)
        try? calls.remove(name, from: .parts)
        return true
    }

    /// Gives the file of a part its name. If another user's upload of the same bytes has ended before, it has it already.
    private func link(_ key: UploadKey) throws(FileFault) {
        let name = "\(key.hash)"
        do throws(FolderCallFault) { try calls.link(key.name, in: .parts, to: name, in: .files) } catch {
            guard error == .exists else { throw FileFault(error, "\(place(name, .files)) cannot be made") }
            let size = try size(of: key.hash)
            guard size != parts[key]?.received else { return }
            // A file of another size does not have this hash.
            try moveToDamaged(key.hash)
            do throws(FolderCallFault) { try calls.link(key.name, in: .parts, to: name, in: .files) } catch {
                throw FileFault(error, "\(place(name, .files)) cannot be made")
            }
        }
    }

    /// Removes an upload. Does nothing if there is none.
    package func discard(_ key: UploadKey) {
        parts[key] = nil
        // A part that stays is removed as stale, or continued and compared.
        try? calls.remove(key.name, from: .parts)
    }

    /// Removes an upload whose bytes are not those that its hash names.
    private func refuse<Value>(_ upload: FileUpload) throws(FileFault) -> Value {
        discard(upload.key)
        throw .differs
    }

    /// Removes uploads that got no byte for some time.
    ///
    /// - Parameters:
    ///   - seconds: the time that an upload may rest.
    ///   - now: seconds since 1970.
    /// - Returns: The uploads that were removed.
    package func removeStaleUploads(olderThan seconds: Int, now: Int) throws(FileFault) -> [UploadKey] {
        try demandSynced()
        var removed: [UploadKey] = []
        for entry in try entries(of: .parts) where entry.isPlain && entry.changed <= now - seconds {
            guard let key = UploadKey(name: entry.name) else { continue }
            try remove(entry.name, from: .parts)
            parts[key] = nil
            removed.append(key)
        }
        return removed
    }

    /// All uploads, in no order.
    package var uploads: [UploadState] {
        parts.map { UploadState(key: $0, received: $1.received, bytes: $1.bytes) }
    }

    /// Number of uploads, of one user or of all, and the bytes that they have or will have.
    package func amount(ofUser user: UInt32?) -> (uploads: Int, bytes: Int) {
        parts.reduce(into: (0, 0)) { amount, part in
            guard user == nil || part.key.user == user else { return }
            amount.0 += 1
            amount.1 += max(part.value.bytes ?? 0, part.value.received)
        }
    }

    /// Syncs a part. After a failure, only the bytes that an earlier sync made durable count.
    private func sync(_ file: Int32, _ key: UploadKey) throws(FileFault) {
        do throws(FolderCallFault) { try calls.sync(file) } catch {
            let fault = FileFault(error, "\(place(key.name, .parts)) cannot be synced")
            let synced = parts[key]?.synced ?? 0
            parts[key] = nil
            do throws(FolderCallFault) {
                try calls.truncate(file, to: synced)
                parts[key] = Part(received: synced, synced: synced)
            } catch {
                // Its bytes would seem to be durable once the next sync succeeds.
                do throws(FileFault) { try remove(key.name, from: .parts) } catch { refuseWrites(fault) }
            }
            throw fault
        }
        if let received = parts[key]?.received { parts[key]?.synced = received }
    }

    private func demandRoom(for bytes: Int, _ freeBytesMin: Int, _ name: String) throws(FileFault) {
        let free: Int
        do throws(FolderCallFault) { free = try calls.freeBytes() } catch {
            throw FileFault(error, "the free space for \(place(name, .parts)) cannot be determined")
        }
        guard free - bytes >= freeBytesMin else {
            throw .noRoom(
                "\(place(name, .parts)) needs \(bytes) bytes, and \(freeBytesMin) must stay free; \(free) are free; delete files "
                    + "that you do not need on this disk")
        }
    }

    private func openForWriting(_ name: String) throws(FileFault) -> Int32 {
        do throws(FolderCallFault) { return try calls.openForWriting(name, in: .parts) } catch {
            throw FileFault(error, "\(place(name, .parts)) cannot be opened")
        }
    }
}
