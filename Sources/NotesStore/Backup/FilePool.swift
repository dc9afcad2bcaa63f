import Glibc
import NoteText
import NotesModel
import NotesSQL

/// The bytes of the files that the backups in a folder name: the folder `files` beside them, which they share. A file has
/// its hash as its name, as in a store.
///
/// A backup gets its name after its files are in the pool, so a backup with a name is whole, except for files that the
/// store itself lacked.
struct FilePool: ~Copyable {
    static let name = Subfolder.files.path

    private let pool: Int32
    private let path: String

    /// The numbers of files that were taken into a pool.
    struct Amount {
        /// The files that are there now.
        var files = 0
        /// The files that were to be had nowhere, or were damaged.
        var missing = 0
    }

    /// Opens the pool beside the backups of a folder, and makes it if it is missing.
    ///
    /// - Parameter folder: path of the folder.
    init(in folder: String, isMade: Bool) throws(FileFault) {
        let path = folder + "/" + Self.name
        if isMade, mkdir(path, 0o700) != 0, errno != EEXIST { throw Self.fault("\(path) cannot be created") }
        let opened = uninterrupted { open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
        guard opened >= 0 else { throw Self.fault("\(path) cannot be opened") }
        (pool, self.path) = (opened, path)
    }

    deinit {
        close(pool)
    }

    /// Takes files from another folder of files. A file becomes a second name of the same bytes, or a copy on another file
    /// system. Those that are here are not looked at again, unless the other folder has other ones of its own on the same file
    /// system: bytes that were damaged under both names, and came again there.
    ///
    /// - Parameters:
    ///   - isChecked: whether to reread each file that is taken, and to leave out those without their hash.
    ///   - mayGoOn: asked before each file.
    func take(
        _ files: [FileContent], from other: borrowing FilePool, isChecked: Bool, while mayGoOn: () -> Bool = { true }
    ) throws(FileFault) -> Amount {
        var amount = Amount()
        for file in files where file.bytes > 0 {
            guard mayGoOn() else { break }
            let isHere = size(of: file.hash) == file.bytes && (isChecked || !hasOther(file.hash, than: other))
            let isTaken = isHere ? true : try take(file, from: other, isChecked: isChecked)
            if isTaken { amount.files += 1 } else { amount.missing += 1 }
        }
        guard fsync(pool) == 0 || errno == EINVAL else { throw Self.fault("\(path) cannot be synced to disk") }
        return amount
    }

    /// The size of a file; nil if it is not here.
    func size(of hash: FileHash) -> Int? {
        status(of: hash).flatMap { $0.st_mode & S_IFMT == S_IFREG ? Int($0.st_size) : nil }
    }

    private func status(of hash: FileHash) -> stat? {
        var status = stat()
        return fstatat(pool, "\(hash)", &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
    }

    private func take(_ file: FileContent, from other: borrowing FilePool, isChecked: Bool) throws(FileFault) -> Bool {
        let name = "\(file.hash)"
        guard other.size(of: file.hash) == file.bytes else { return false }
        // A file of another size is none of this hash.
        if size(of: file.hash) != file.bytes { unlinkat(pool, name, 0) }
        if isChecked, try !other.hasHash(file) { return false }
        let draft = ".\(file.hash).part"
        unlinkat(pool, draft, 0)
        // The removal of the draft does nothing if the renaming moved it.
        defer { unlinkat(pool, draft, 0) }
        // A second name of another user's file could not be read here.
        if other.status(of: file.hash)?.st_uid == geteuid(), linkat(other.pool, name, pool, draft, 0) == 0,
            renameat(pool, draft, pool, name) == 0
        {
            return true
        }
        return try copy(file, from: other)
    }

    /// Whether both have files of their own of a hash on one file system.
    private func hasOther(_ hash: FileHash, than other: borrowing FilePool) -> Bool {
        guard let mine = status(of: hash), let theirs = other.status(of: hash), theirs.st_uid == geteuid() else { return false }
        return mine.st_dev == theirs.st_dev && mine.st_ino != theirs.st_ino
    }

    /// Rereads a file of the right size, and compares its hash.
    func hasHash(_ file: FileContent) throws(FileFault) -> Bool {
        var hash = SHA256.Stream()
        try read(file.hash) { (part) throws(FileFault) in hash.add(part) }
        return FileHash(bytes: hash.hash) == file.hash
    }

    /// Copies a file under a passing name, and compares its hash on the way.
    private func copy(_ file: FileContent, from other: borrowing FilePool) throws(FileFault) -> Bool {
        let draft = ".\(file.hash).part"
        unlinkat(pool, draft, 0)
        let opened = uninterrupted { openat(pool, draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o400) }
        guard opened >= 0 else { throw Self.fault("\(path) cannot be written") }
        defer {
            close(opened)
            unlinkat(pool, draft, 0)
        }
        var hash = SHA256.Stream()
        try other.read(file.hash) { (part) throws(FileFault) in
            hash.add(part)
            var rest = part
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { bytes in uninterrupted { write(opened, bytes.baseAddress, bytes.count) } }
                guard count > 0 else { throw Self.fault("\(path) cannot be written") }
                rest = rest.dropFirst(count)
            }
        }
        guard FileHash(bytes: hash.hash) == file.hash else { return false }
        guard fsync(opened) == 0 else { throw Self.fault("a file in \(path) cannot be synced to disk") }
        guard renameat(pool, draft, pool, "\(file.hash)") == 0 else { throw Self.fault("\(path) cannot be written") }
        return true
    }

    private func read(_ hash: FileHash, _ body: (ArraySlice<UInt8>) throws(FileFault) -> Void) throws(FileFault) {
        let opened = uninterrupted { openat(pool, "\(hash)", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
        guard opened >= 0 else { throw Self.fault("a file in \(path) cannot be read") }
        defer { close(opened) }
        var buffer = [UInt8](repeating: 0, count: FileFolder.hashedBytesMax)
        while true {
            let count = uninterrupted { Glibc.read(opened, &buffer, buffer.count) }
            guard count >= 0 else { throw Self.fault("a file in \(path) cannot be read") }
            if count == 0 { return }
            try body(buffer[..<count])
        }
    }

    /// Removes the files that no backup of the folder names. If the folder has anything besides backups that can be
    /// read, all files stay: a backup may have any name, and somebody may have compressed one.
    ///
    /// - Parameter namedFiles: the files that a database names; nil if it is no store that this program can read.
    static func prune(in folder: String, namedFiles: (Database) throws(SQLFault) -> [FileContent]?) {
        guard let pool = try? FilePool(in: folder, isMade: false) else { return }
        var named: Set<FileHash> = []
        for name in names(in: folder) where ![".", "..", Self.name].contains(name) {
            guard let backup = try? SQLiteConnections.open(folder + "/" + name, isReadOnly: true),
                let files = try? namedFiles(backup)
            else { return }
            try? backup.close()
            named.formUnion(files.map(\.hash))
        }
        for name in names(in: pool.path) {
            guard let hash = FileHash(parsing: name.utf8), !named.contains(hash) else { continue }
            unlinkat(pool.pool, name, 0)
        }
    }

    private static func names(in folder: String) -> [String] {
        guard let entries = opendir(folder) else { return [] }
        defer { closedir(entries) }
        var names: [String] = []
        while let entry = readdir(entries) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names
    }

    private static func fault(_ what: String) -> FileFault {
        let text = "\(what): \(systemMessage(errno))"
        return [ENOSPC, EDQUOT, EFBIG].contains(errno) ? .noRoom("\(text); free some space there") : .failed(text)
    }
}
