import Glibc
import NotesSQL

/// The calls of the system, on the folders of one store.
package final class PosixFolderCalls: FolderCalls {
    private let directory: String
    private var descriptors: [Subfolder: Int32] = [:]

    /// - Parameter directory: path of the store's directory.
    package init(in directory: String) {
        self.directory = directory
    }

    deinit {
        for descriptor in descriptors.values { Glibc.close(descriptor) }
    }

    package func make(_ folder: Subfolder) throws(FolderCallFault) {
        let path = directory + "/" + folder.path
        let end = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.utf8.startIndex
        let name = String(path[path.utf8.index(after: end)...])
        let parent: Int32
        if folder == .files {
            parent = uninterrupted { Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        } else {
            parent = uninterrupted { openat(self.descriptor(.files), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        }
        try Self.check(parent)
        defer { Glibc.close(parent) }
        guard mkdirat(parent, name, 0o700) == 0 || errno == EEXIST else { throw Self.fault() }
        // Also if it exists: a daemon that was killed may have made it without syncing its name.
        try Self.syncNames(in: parent)
        let descriptor = uninterrupted { openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
        try Self.check(descriptor)
        if let former = descriptors.updateValue(descriptor, forKey: folder) { Glibc.close(former) }
        try Self.check(fchmod(descriptor, 0o700))
    }

    package func entries(of folder: Subfolder) throws(FolderCallFault) -> [FolderEntry] {
        let copy = uninterrupted { openat(descriptor(folder), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        try Self.check(copy)
        guard let names = fdopendir(copy) else {
            Glibc.close(copy)
            throw Self.fault()
        }
        defer { closedir(names) }
        var entries: [FolderEntry] = []
        errno = 0
        while let entry = readdir(names) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            var status = stat()
            if name != ".", name != "..", fstatat(copy, name, &status, AT_SYMLINK_NOFOLLOW) == 0 {
                entries.append(
                    FolderEntry(
                        name: name, bytes: Int(status.st_size), isPlain: status.st_mode & S_IFMT == S_IFREG,
                        isProtected: status.st_mode & 0o777 == 0o400, changed: status.st_mtim.tv_sec))
            }
            errno = 0
        }
        guard errno == 0 else { throw Self.fault() }
        return entries
    }

    package func open(_ name: String, in folder: Subfolder) throws(FolderCallFault) -> Int32 {
        try openPlain(name, folder, O_RDONLY)
    }

    package func openForWriting(_ name: String, in folder: Subfolder) throws(FolderCallFault) -> Int32 {
        try openPlain(name, folder, O_RDWR | O_CREAT)
    }

    private func openPlain(_ name: String, _ folder: Subfolder, _ use: Int32) throws(FolderCallFault) -> Int32 {
        // O_NONBLOCK: a pipe or a device of this name must not stop the daemon.
        let file = uninterrupted { openat(descriptor(folder), name, use | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600) }
        try Self.check(file)
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            Glibc.close(file)
            throw .failed("it is not a plain file")
        }
        return file
    }

    package func close(_ file: Int32) {
        Glibc.close(file)
    }

    package func status(of file: Int32) throws(FolderCallFault) -> FileStatus {
        var status = stat()
        try Self.check(fstat(file, &status))
        return FileStatus(
            bytes: Int(status.st_size), names: Int(status.st_nlink), isProtected: status.st_mode & 0o777 == 0o400)
    }

    package func read(_ count: Int, at offset: Int, from file: Int32) throws(FolderCallFault) -> [UInt8] {
        guard count > 0 else { return [] }
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
                let read = uninterrupted { pread(file, rest.baseAddress, rest.count, off_t(offset + filled)) }
                guard read > 0 else {
                    if read < 0 { failure = errno }
                    return
                }
                filled += read
            }
        }
        guard failure == 0 else { throw Self.fault(failure) }
        return bytes
    }

    package func write(_ bytes: ArraySlice<UInt8>, at offset: Int, to file: Int32) throws(FolderCallFault) {
        var failure: Int32 = 0
        bytes.withUnsafeBytes { buffer in
            var written = 0
            while written < buffer.count {
                let rest = UnsafeRawBufferPointer(rebasing: buffer[written...])
                let count = uninterrupted { pwrite(file, rest.baseAddress, rest.count, off_t(offset + written)) }
                guard count > 0 else {
                    failure = count < 0 ? errno : ENOSPC
                    return
                }
                written += count
            }
        }
        guard failure == 0 else { throw Self.fault(failure) }
    }

    package func truncate(_ file: Int32, to bytes: Int) throws(FolderCallFault) {
        try Self.check(uninterrupted { ftruncate(file, off_t(bytes)) })
    }

    package func sync(_ file: Int32) throws(FolderCallFault) {
        try Self.check(fdatasync(file))
    }

    package func protect(_ file: Int32) throws(FolderCallFault) {
        try Self.check(fchmod(file, 0o400))
    }

    package func link(
        _ name: String, in folder: Subfolder, to other: String, in target: Subfolder
    ) throws(FolderCallFault) {
        try Self.check(linkat(descriptor(folder), name, descriptor(target), other, 0))
    }

    package func move(_ name: String, from folder: Subfolder, to target: Subfolder) throws(FolderCallFault) {
        try Self.check(renameat(descriptor(folder), name, descriptor(target), name))
    }

    package func remove(_ name: String, from folder: Subfolder) throws(FolderCallFault) {
        try Self.check(unlinkat(descriptor(folder), name, 0))
    }

    package func sync(_ folder: Subfolder) throws(FolderCallFault) {
        try Self.syncNames(in: descriptor(folder))
    }

    package func freeBytes() throws(FolderCallFault) -> Int {
        var status = statvfs()
        try Self.check(uninterrupted { fstatvfs(descriptor(.files), &status) })
        let (bytes, isTooLarge) = UInt(status.f_bavail).multipliedReportingOverflow(by: UInt(status.f_frsize))
        return isTooLarge ? .max : Int(clamping: bytes)
    }

    private func descriptor(_ folder: Subfolder) -> Int32 {
        guard let descriptor = descriptors[folder] else { preconditionFailure("the folder \(folder.path) is not made yet") }
        return descriptor
    }

    private static func syncNames(in directory: Int32) throws(FolderCallFault) {
        // EINVAL: the file system does not sync directories.
        guard fsync(directory) == 0 || errno == EINVAL else { throw fault() }
    }

    private static func check(_ result: Int32) throws(FolderCallFault) {
        guard result >= 0 else { throw fault() }
    }

    private static func fault(_ number: Int32 = errno) -> FolderCallFault {
        switch number {
        case ENOENT: .missing
        case EEXIST: .exists
        case ENOSPC, EDQUOT, EFBIG: .noRoom(systemMessage(number))
        default: .failed(systemMessage(number))
        }
    }
}
