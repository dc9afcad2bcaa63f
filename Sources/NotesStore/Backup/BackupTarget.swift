import Glibc
import NotesModel
import NotesSQL

/// Where a backup goes: an unused name in a folder.
///
/// The file is written under a temporary name, and gets its own name when it is complete and
/// durable. So a file with a backup's name is always a complete backup. The next backup into the
/// same folder removes temporary files that an interrupted one left, and so does the next start of the
/// daemon in the store's folder for backups.
struct BackupTarget: ~Copyable {
    /// Path of the folder, without a slash at the end.
    let folder: String
    let name: String
    /// Descriptor of the folder.
    private let descriptor: Int32

    var path: String { folder == "/" ? "/" + name : folder + "/" + name }

    /// Opens the folder and checks that the name is free.
    ///
    /// - Parameters:
    ///   - asked: An absolute path of the file, or of a folder to put it in; or a file name in the
    ///     store's folder for backups; or nil for a name from the time in that folder.
    ///   - store: The store's directory.
    init(_ requestedPath: String?, store: String, now: Timestamp) throws(BackupFault) {
        let home = store + "/backups"
        let (folder, requestedPath) = try Self.split(requestedPath, home: home)
        if folder == home, mkdir(home, 0o700) != 0, errno != EEXIST { throw Self.fault("\(home) cannot be created", errno, home) }
        let opened = uninterrupted { open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard opened >= 0 else { throw Self.fault("\(folder) cannot be opened", errno, home) }
        let name = requestedPath ?? Self.freeName(by: now, in: opened)
        do throws(BackupFault) {
            try Self.check(opened, folder, name, store: store, home: home)
        } catch {
            close(opened)
            throw error
        }
        (self.folder, self.name, descriptor) = (folder, name, opened)
    }

    /// A name from the time, with a number appended if backups of the same second exist.
    private static func freeName(by now: Timestamp, in folder: Int32) -> String {
        let name = named(by: now)
        for number in 1...999 {
            let candidate = number == 1 ? name : name.dropLast(ending.count) + "-\(number)" + ending
            var status = stat()
            if fstatat(folder, candidate, &status, AT_SYMLINK_NOFOLLOW) != 0 { return candidate }
        }
        return name
    }

    private static let ending = ".db"

    deinit {
        close(descriptor)
    }

    /// Splits the request into a folder and a name; the name is nil if it should be made from
    /// the time.
    private static func split(_ requestedPath: String?, home: String) throws(BackupFault) -> (folder: String, name: String?) {
        guard let requestedPath else { return (home, nil) }
        guard requestedPath.utf8.contains(UInt8(ascii: "/")) else {
            guard requestedPath != ".", requestedPath != "..", !requestedPath.hasPrefix(".") else {
                throw .path("names a hidden file or a directory; give another name or an absolute path")
            }
            return (home, requestedPath)
        }
        guard requestedPath.utf8.first == UInt8(ascii: "/") else {
            throw .path("is relative, which means nothing to the daemon; give an absolute path or a plain file name")
        }
        var status = stat()
        if requestedPath.utf8.last == UInt8(ascii: "/")
            || (stat(requestedPath, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR)
        {
            var folder = Substring(requestedPath)
            while folder.utf8.count > 1, folder.utf8.last == UInt8(ascii: "/") { folder.removeLast() }
            return (String(folder), nil)
        }
        guard let slash = requestedPath.utf8.lastIndex(of: UInt8(ascii: "/")) else { throw .path("is not a path") }
        let folder = requestedPath.utf8[..<slash]
        let name = String(decoding: requestedPath.utf8[requestedPath.utf8.index(after: slash)...], as: UTF8.self)
        return (folder.isEmpty ? "/" : String(decoding: folder, as: UTF8.self), name)
    }

    private static func check(
        _ descriptor: Int32, _ folder: String, _ name: String, store: String, home: String
    ) throws(BackupFault) {
        var here = stat()
        var there = stat()
        guard fstat(descriptor, &here) == 0, stat(store, &there) == 0 else {
            throw fault("\(folder) cannot be read", errno, home)
        }
        // SQLite uses some names there itself.
        guard (here.st_dev, here.st_ino) != (there.st_dev, there.st_ino) else {
            throw .path("is in the store's own directory; give a plain file name to put it in \(home)")
        }
        guard fstatat(descriptor, name, &here, AT_SYMLINK_NOFOLLOW) != 0 else {
            throw .path("already exists, and a backup never overwrites a file; give another name")
        }
        guard errno == ENOENT else { throw fault("\(folder)/\(name) cannot be examined", errno, home) }
    }

    /// `notesd-20260102T030405Z.db`.
    static func named(by time: Timestamp) -> String {
        var seconds = time_t(time.milliseconds / 1_000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        var text = [CChar](repeating: 0, count: 64)
        let count = strftime(&text, text.count, "notesd-%Y%m%dT%H%M%SZ.db", &parts)
        return String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Translates the `errno` of a failed call on the folder or a file in it.
    static func fault(_ what: String, _ number: Int32, _ home: String) -> BackupFault {
        let text = "\(what): \(systemMessage(number))"
        switch number {
        case ENOSPC, EDQUOT, EFBIG: return .full("\(text); free some space there, or give another folder")
        case EACCES, EPERM, EROFS:
            return .denied("\(text): the daemon may not write there. Give a plain file name to put it in \(home)")
        case ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG, EISDIR, EINVAL:
            return .path("\(text); give an existing folder, or a plain file name to put it in \(home)")
        default: return .failed(text)
        }
    }
}

// MARK: - The file

extension BackupTarget {
    /// The file under its temporary name.
    struct Draft {
        let name: String
        let path: String
        let descriptor: Int32
    }

    private static let prefix = ".notesd-backup-"

    /// Creates the file, with mode 0600.
    ///
    /// - Parameter bytes: The expected size.
    func begin(bytes: Int, store: String) throws(BackupFault) -> Draft {
        Self.removeLeftovers(in: descriptor)
        try demandRoom(bytes: bytes)
        var random = SystemRandomNumberGenerator()
        let name = Self.prefix + String(random.next() as UInt64, radix: 36)
        let path = folder + "/" + name
        let file = uninterrupted { openat(descriptor, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600) }
        guard file >= 0 else { throw Self.fault("no file can be created in \(folder)", errno, store + "/backups") }
        let draft = Draft(name: name, path: path, descriptor: file)
        // Locked while it is being written. A temporary file without a lock was left by an
        // interrupted backup.
        guard flock(file, LOCK_EX | LOCK_NB) == 0, isThere(draft) else {
            drop(draft)
            throw .failed("another program removes files from \(folder); try again, or give another folder")
        }
        return draft
    }

    /// Whether the temporary name still refers to the open file, which is the one that is synced.
    private func isThere(_ draft: Draft) -> Bool {
        var (opened, named) = (stat(), stat())
        return fstat(draft.descriptor, &opened) == 0 && fstatat(descriptor, draft.name, &named, AT_SYMLINK_NOFOLLOW) == 0
            && opened.st_dev == named.st_dev && opened.st_ino == named.st_ino
    }

    /// Throws `full` if the file system reports less free space than the backup needs.
    private func demandRoom(bytes: Int) throws(BackupFault) {
        var room = statvfs()
        guard fstatvfs(descriptor, &room) == 0, room.f_blocks > 0 else { return }
        let (free, isMuch) = UInt64(room.f_bavail).multipliedReportingOverflow(by: UInt64(room.f_frsize))
        guard !isMuch, free < UInt64(clamping: bytes) else { return }
        throw .full("\(folder) has \(free) bytes free, and a backup needs \(bytes); free some space, or give another folder")
    }

    /// Syncs the file and gives it its name, durably.
    ///
    /// - Parameter files: the files that were put beside it.
    func finish(_ draft: Draft, store: String, files: FilePool.Amount) throws(BackupFault) -> Backup {
        let home = store + "/backups"
        guard fsync(draft.descriptor) == 0 else { throw Self.fault("\(path) cannot be synced to disk", errno, home) }
        var status = stat()
        guard fstat(draft.descriptor, &status) == 0 else { throw Self.fault("\(path) cannot be examined", errno, home) }
        guard isThere(draft) else {
            throw .failed("\(draft.path) was removed or replaced while it was being written; try again, or give another folder")
        }
        guard rename(draft) else {
            let failure = errno
            guard failure == EEXIST else { throw Self.fault("\(path) cannot be renamed into place", failure, home) }
            throw .path("was created by another program meanwhile, and a backup never overwrites a file; give another name")
        }
        // Some file systems cannot sync directories.
        guard fsync(descriptor) == 0 || errno == EINVAL else {
            let failure = errno
            unlinkat(descriptor, name, 0)
            throw Self.fault("\(folder) cannot be synced to disk", failure, home)
        }
        close(draft.descriptor)
        return Backup(path: path, bytes: Int(status.st_size), files: files.files, missingFiles: files.missing)
    }

    /// Renames the file without replacing another. On a file system without hard links, an empty
    /// file reserves the name first.
    private func rename(_ draft: Draft) -> Bool {
        if linkat(descriptor, draft.name, descriptor, name, 0) == 0 {
            unlinkat(descriptor, draft.name, 0)
            return true
        }
        // With these errors the other way would fail too, and might leave the reserved name behind.
        guard ![EEXIST, EIO, EROFS, ENOSPC, EDQUOT, EACCES, ENOMEM].contains(errno) else { return false }
        let taken = uninterrupted { openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600) }
        guard taken >= 0 else { return false }
        close(taken)
        if renameat(descriptor, draft.name, descriptor, name) == 0 { return true }
        let failure = errno
        unlinkat(descriptor, name, 0)
        errno = failure
        return false
    }

    /// Removes the file.
    func drop(_ draft: Draft) {
        unlinkat(descriptor, draft.name, 0)
        close(draft.descriptor)
    }

    /// Removes temporary files of interrupted backups from a folder, if it exists.
    static func removeLeftovers(in folder: String) {
        let descriptor = uninterrupted { open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW) }
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        removeLeftovers(in: descriptor)
    }

    private static func removeLeftovers(in descriptor: Int32) {
        let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0 else { return }
        guard let entries = fdopendir(copy) else {
            close(copy)
            return
        }
        defer { closedir(entries) }
        while let entry = readdir(entries) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name.hasPrefix(Self.prefix) else { continue }
            let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard file >= 0 else { continue }
            defer { close(file) }
            var status = stat()
            guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
                flock(file, LOCK_EX | LOCK_NB) == 0
            else { continue }
            unlinkat(descriptor, name, 0)
        }
    }
}
