package import NoteText
import NotesModel

/// The bytes of a store's files, named by their hashes, and the uploads that are not whole yet.
///
///     files/HASH           bytes, mode 0400, never changed
///     files/part/UID-HASH  uploads
///     files/damaged/HASH   bytes that no longer had their hash
///
/// An upload is written to `part`, compared, synced, linked to its name, and removed from `part`. It is *there* after
/// `syncNames` only, once for all uploads that ended meanwhile. Files whose names are no hashes are left alone.
///
/// After a sync of names failed, nobody knows which names are durable, and a further sync may succeed without having
/// made them durable. So the folder then refuses all writes until it is opened again.
///
/// One thread uses it. Its memory is bounded: it reads and hashes 256 KiB at a time.
package final class FileFolder {
    /// The bytes after which an upload is synced, and the free space compared. Syncs of more hold up commits.
    package static let syncedBytesMax = 4 << 20
    /// The bytes that are read at once to be hashed.
    static let hashedBytesMax = 256 << 10

    /// What is known of a part.
    struct Part {
        /// The number of bytes that the whole file has; nil until the upload begins in this run.
        var bytes: Int?
        /// The size of the part.
        var received: Int
        /// The bytes that are known to be durable, from the start of the part.
        var synced = 0
        /// The size at which the free space was compared last.
        var compared = 0
        /// The hash so far, while an end of the upload is being compared.
        var rehash: Rehash?
    }

    /// A hash of the bytes of a file up to an offset.
    struct Rehash {
        var stream = SHA256.Stream()
        var offset = 0

        var hash: FileHash? { FileHash(bytes: stream.hash) }
    }

    let calls: any FolderCalls
    var parts: [UploadKey: Part] = [:]
    /// The bytes of an upload after which it is synced.
    let syncedBytesMax: Int
    /// The failure since which all writes are refused.
    private var syncFault: FileFault?

    /// The sizes of the files that were there when the folder was opened, without the file of no bytes.
    package private(set) var listed: [FileHash: Int] = [:]
    /// The files that were set apart, since they no longer had their hash, when the folder was opened.
    package private(set) var damaged: Set<FileHash> = []

    /// Opens the folders in a store's directory, and makes those that are missing.
    ///
    /// - Parameters:
    ///   - directory: absolute path of the store's directory.
    ///   - erasing: the hashes that a purge recorded; their bytes are erased before anything is listed.
    package convenience init(in directory: String, erasing: [FileHash]) throws(FileFault) {
        try self.init(PosixFolderCalls(in: directory), erasing: erasing)
    }

    package init(
        _ calls: any FolderCalls, erasing: [FileHash], syncedBytesMax: Int = FileFolder.syncedBytesMax
    ) throws(FileFault) {
        self.calls = calls
        self.syncedBytesMax = syncedBytesMax
        for folder in Subfolder.allCases {
            do throws(FolderCallFault) { try calls.make(folder) } catch {
                throw FileFault(error, "the folder \(folder.path) of the store cannot be opened")
            }
        }
        for entry in try entries(of: .parts) where entry.isPlain {
            if let key = UploadKey(name: entry.name) { parts[key] = Part(received: entry.bytes) }
        }
        if !erasing.isEmpty { try remove(erasing) }
        // A daemon that was killed may have linked a name that is not durable yet. It must be before anybody sees it.
        try syncNames()
        for entry in try entries(of: .files) where entry.isPlain {
            guard let hash = FileHash(parsing: entry.name.utf8), hash != .ofNothing else { continue }
            if !entry.isProtected { try protect(entry.name) }
            listed[hash] = entry.bytes
        }
        damaged = Set(try entries(of: .damaged).compactMap { FileHash(parsing: $0.name.utf8) })
        // A daemon that was killed may have linked a file without removing its part.
        for key in parts.keys where listed[key.hash] != nil { discard(key) }
    }

    /// Gives a file its mode, which a daemon that was killed had not done.
    private func protect(_ name: String) throws(FileFault) {
        let file = try open(name, in: .files)
        defer { calls.close(file) }
        do throws(FolderCallFault) { try calls.protect(file) } catch {
            throw FileFault(error, "the mode of \(place(name, .files)) cannot be set")
        }
    }

    /// Makes the names of all uploads that ended durable. Only then are their files there.
    ///
    /// - Throws: Any fault leaves it open which files are there; they are listed when the folder is opened again.
    package func syncNames() throws(FileFault) {
        try demandSynced()
        try syncNames(of: .files)
    }

    /// Removes files, uploads of their bytes by all users, and damaged copies, and makes that durable. Files that are
    /// not there are no fault: a removal that was interrupted is repeated.
    ///
    /// - Complexity: O(hashes + uploads); three syncs.
    package func remove(_ hashes: [FileHash]) throws(FileFault) {
        try demandSynced()
        guard !hashes.isEmpty else { return }
        let removed = Set(hashes)
        for hash in removed {
            try remove("\(hash)", from: .files)
            try remove("\(hash)", from: .damaged)
        }
        // The folder is read again, since a part whose removal failed is in no table.
        for entry in try entries(of: .parts) {
            guard let key = UploadKey(name: entry.name), removed.contains(key.hash) else { continue }
            try remove(entry.name, from: .parts)
            parts[key] = nil
        }
        for folder in Subfolder.allCases { try syncNames(of: folder) }
    }

    // MARK: Calls with their faults

    func demandSynced() throws(FileFault) {
        if let syncFault { throw syncFault }
    }

    /// Refuses all further writes.
    func refuseWrites(_ fault: FileFault) {
        syncFault = fault
    }

    func syncNames(of folder: Subfolder) throws(FileFault) {
        do throws(FolderCallFault) { try calls.sync(folder) } catch {
            let fault = FileFault(error, "the folder \(folder.path) of the store cannot be synced; restart notesd")
            refuseWrites(fault)
            throw fault
        }
    }

    func entries(of folder: Subfolder) throws(FileFault) -> [FolderEntry] {
        do throws(FolderCallFault) { return try calls.entries(of: folder) } catch {
            throw FileFault(error, "the folder \(folder.path) of the store cannot be read")
        }
    }

    /// Removes a name if it exists.
    func remove(_ name: String, from folder: Subfolder) throws(FileFault) {
        do throws(FolderCallFault) { try calls.remove(name, from: folder) } catch {
            if error != .missing { throw FileFault(error, "\(place(name, folder)) cannot be removed") }
        }
    }

    func open(_ name: String, in folder: Subfolder) throws(FileFault) -> Int32 {
        do throws(FolderCallFault) { return try calls.open(name, in: folder) } catch {
            throw FileFault(error, "\(place(name, folder)) cannot be opened")
        }
    }

    func read(_ count: Int, at offset: Int, from file: Int32, _ name: String, _ folder: Subfolder) throws(FileFault) -> [UInt8] {
        do throws(FolderCallFault) { return try calls.read(count, at: offset, from: file) } catch {
            throw FileFault(error, "\(place(name, folder)) cannot be read")
        }
    }

    func status(of file: Int32, _ name: String, _ folder: Subfolder) throws(FileFault) -> FileStatus {
        do throws(FolderCallFault) { return try calls.status(of: file) } catch {
            throw FileFault(error, "\(place(name, folder)) cannot be examined")
        }
    }

    func place(_ name: String, _ folder: Subfolder) -> String { "\(folder.path)/\(name)" }

    /// Continues a hash over a file by at most some bytes.
    ///
    /// - Returns: Whether the end is reached.
    func advance(
        _ rehash: inout Rehash, over file: Int32, _ name: String, _ folder: Subfolder, bytesMax: Int
    ) throws(FileFault) -> Bool {
        var rest = max(bytesMax, 1)
        while rest > 0 {
            let count = min(rest, Self.hashedBytesMax)
            let bytes = try read(count, at: rehash.offset, from: file, name, folder)
            rehash.stream.add(bytes)
            rehash.offset += bytes.count
            rest -= bytes.count
            if bytes.count < count { return true }
        }
        return false
    }
}
