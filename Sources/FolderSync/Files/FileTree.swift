package import Console
import Glibc
import NoteTasks
import NoteText
import NotesModel

/// Reads and writes files below a directory and nowhere else: no component of a path may be a
/// symbolic link, and each file appears atomically. The directory itself may be reached through one.
///
/// The kernel checks only the last component of a path for a symbolic link (`O_NOFOLLOW`). So each
/// component is opened in the one before it, and another user who exchanges a directory for a link
/// gets an error instead of a file from elsewhere.
package struct FileTree: Sendable {
    private let root: Int32

    /// - Precondition: the descriptor stays open as long as the tree is used.
    package init(_ directory: borrowing Descriptor) {
        root = directory.number
    }

    /// What has a path.
    enum Content: Equatable {
        case nothing
        /// A regular file with these bytes.
        case bytes([UInt8])
        /// A symbolic link.
        case link
        /// A regular file of another size than expected, or anything else.
        case other

        var look: Look {
            switch self {
            case .nothing: .nothing
            case .bytes(let bytes): .file(FileContent(of: bytes))
            case .link: .link
            case .other: .other
            }
        }
    }

    /// The state of a path, with the hash of a file's bytes.
    enum Look: Equatable {
        case nothing
        /// A regular file.
        case file(FileContent)
        /// A symbolic link.
        case link
        /// A regular file of another size than expected, or anything else.
        case other
    }

    /// Compares what has a path, in parts of 1 MiB.
    ///
    /// - Parameter sizes: the sizes to expect; a file of another size is not read.
    func look(at path: [UInt8], sizes: Set<Int>) throws(Descriptor.OpenError) -> Look {
        let (folders, name) = try Self.parts(of: path)
        do throws(Descriptor.OpenError) {
            let folder = try open(folders, isMade: false)
            return try Self.look(at: name, in: folder.number, sizes: sizes)
        } catch {
            if error.number == ENOENT { return .nothing }
            throw error
        }
    }

    /// Reads a file.
    ///
    /// - Parameter sizes: the sizes to expect; a file of another size is not read.
    func content(of path: [UInt8], sizes: Set<Int>) throws(Descriptor.OpenError) -> Content {
        let (folders, name) = try Self.parts(of: path)
        do throws(Descriptor.OpenError) {
            let folder = try open(folders, isMade: false)
            return try Self.content(of: name, in: folder.number, sizes: sizes)
        } catch {
            if error.number == ENOENT { return .nothing }
            throw error
        }
    }

    /// Opens a file for reading.
    ///
    /// - Throws: as `ReadableFile`.
    func file(_ path: [UInt8]) throws(Descriptor.OpenError) -> ReadableFile {
        let (folders, name) = try Self.parts(of: path)
        let folder = try open(folders, isMade: false)
        return try ReadableFile(name, in: folder.number)
    }

    /// Opens a folder. The empty path is the directory itself.
    func folder(_ path: [UInt8]) throws(Descriptor.OpenError) -> Descriptor {
        try open(try Self.components(of: path)[...], isMade: false)
    }

    /// The attributes of a file, as `lstat` returns them.
    func status(of path: [UInt8]) throws(Descriptor.OpenError) -> stat {
        let (folders, name) = try Self.parts(of: path)
        let folder = try open(folders, isMade: false)
        var status = stat()
        guard name.withCPath({ fstatat(folder.number, $0, &status, AT_SYMLINK_NOFOLLOW) }) == 0 else {
            throw Descriptor.OpenError(number: errno)
        }
        return status
    }

    /// Removes a file that a killed process left. A file with a text that the daemon may not have gets a
    /// visible name instead.
    ///
    /// - Parameter bytesMax: size limit of a note, in bytes. The daemon has no larger text.
    /// - Returns: the new path; nil if there is none.
    func clear(_ path: [UInt8], bytesMax: Int) throws(Descriptor.OpenError) -> [UInt8]? {
        let (folders, name) = try Self.parts(of: path)
        guard let temporary = TemporaryName(parsing: name), !temporary.isInUse else { return nil }
        let folder = try open(folders, isMade: false)
        let file = try ReadableFile(name, in: folder.number)
        if temporary.known.isEmpty || Self.isKnown(file, to: temporary) {
            Self.unlink(name, in: folder.number)
            return nil
        }
        let text = try file.text(bytesMax: bytesMax)
        let ending = text.map { TextInput.fault(in: $0) == nil } ?? false ? "md" : "bin"
        let found = Array("recovered-\(temporary.process)-\(temporary.serial).\(ending)".utf8)
        let number = Renaming.move(name, to: found, in: folder.number)
        guard number == 0 else { throw Descriptor.OpenError(number: number) }
        return Array((folders + [found]).joined(separator: [UInt8(ascii: "/")]))
    }

    private static func isKnown(_ file: borrowing ReadableFile, to name: TemporaryName) -> Bool {
        guard let content = try? file.content() else { return false }
        return name.isKnown(content.hash)
    }

    /// Removes a file that has the expected content.
    ///
    /// - Parameters:
    ///   - content: the file's bytes; a file with others stays.
    ///   - isLeasing: as in `place`.
    ///   - isTidying: whether the folders go too that have become empty because the file was removed.
    /// - Returns: whether the path is free now.
    func remove(
        _ path: [UInt8], with content: FileContent, serial: Int, isLeasing: Bool = false, isTidying: Bool = false
    ) throws(Descriptor.OpenError) -> Bool {
        let look = try look(at: path, sizes: [content.bytes])
        if look == .nothing { return true }
        guard look == .file(content) else { return false }
        let (folders, name) = try Self.parts(of: path)
        let folder = try open(folders, isMade: false)
        // As in `name`.
        let leased = isLeasing ? Self.opened(name, in: folder.number) : -1
        defer { if leased >= 0 { close(leased) } }
        let isGranted = leased >= 0 ? ReadLease.take(leased) : nil
        if isGranted == false { return false }
        // A program may have written the file since. So the file loses its name first.
        let temporary = TemporaryName(serial: serial, known: [content.hash]).bytes
        let number = Renaming.replace(name, over: temporary, in: folder.number)
        guard number == 0 else { throw Descriptor.OpenError(number: number) }
        guard try Self.look(at: temporary, in: folder.number, sizes: [content.bytes]) == .file(content),
            !(isGranted == true && ReadLease.isAwaited(leased))
        else {
            let number = Renaming.move(temporary, to: name, in: folder.number)
            guard number == 0 else { throw Descriptor.OpenError(number: number) }
            return false
        }
        Self.unlink(temporary, in: folder.number)
        if isTidying { removeEmpty(folders) }
        return true
    }

    /// Removes a folder if it is empty, and then the folders above it that have become empty, except the
    /// root.
    private func removeEmpty(_ folders: ArraySlice<[UInt8]>) {
        var folders = folders
        while let name = folders.popLast() {
            guard let parent = try? open(folders, isMade: false) else { return }
            // Another removal may have taken the folder.
            guard name.withCPath({ unlinkat(parent.number, $0, AT_REMOVEDIR) }) == 0 || errno == ENOENT else { return }
        }
    }

    // MARK: -

    /// Opens a file to take a lease on it; negative if that fails.
    static func opened(_ name: [UInt8], in folder: Int32) -> Int32 {
        name.withCPath { openat(folder, $0, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
    }

    static func unlink(_ name: [UInt8], in folder: Int32) {
        _ = name.withCPath { unlinkat(folder, $0, 0) }
    }

    /// Removes a file if it has these bytes.
    static func unlink(_ name: [UInt8], in folder: Int32, if content: FileContent) {
        if (try? look(at: name, in: folder, sizes: [content.bytes])) == .file(content) { unlink(name, in: folder) }
    }

    static func look(at name: [UInt8], in folder: Int32, sizes: Set<Int>) throws(Descriptor.OpenError) -> Look {
        do throws(Descriptor.OpenError) {
            let file = try ReadableFile(name, in: folder)
            guard sizes.contains(file.bytes), let content = try file.content() else { return .other }
            return .file(content)
        } catch {
            if error.number == ENOENT { return .nothing }
            if error.number == ELOOP { return .link }
            if error.number == ENXIO { return .other }
            throw error
        }
    }

    static func parts(
        of path: [UInt8]
    ) throws(Descriptor.OpenError) -> (folders: ArraySlice<[UInt8]>, name: [UInt8]) {
        let parts = try components(of: path)
        guard let name = parts.last else { throw Descriptor.OpenError(number: EINVAL) }
        return (parts.dropLast(), name)
    }

    /// - Throws: `ENAMETOOLONG` for a path that the kernel would refuse, which limits the depth of a tree.
    private static func components(of path: [UInt8]) throws(Descriptor.OpenError) -> [[UInt8]] {
        guard path.count < PATH_MAX else { throw Descriptor.OpenError(number: ENAMETOOLONG) }
        let parts = path.split(separator: UInt8(ascii: "/")).map { Array($0) }
        guard !parts.contains(where: { $0.elementsEqual("..".utf8) }) else { throw Descriptor.OpenError(number: EINVAL) }
        return parts
    }

    /// Opens the folder of a file.
    ///
    /// - Parameter isMade: whether missing folders are created.
    /// - Throws: `ELOOP` for a symbolic link.
    func open(_ folders: ArraySlice<[UInt8]>, isMade: Bool) throws(Descriptor.OpenError) -> Descriptor {
        var folder = try Descriptor.open(Array(".".utf8), in: root, O_RDONLY | O_DIRECTORY)
        for part in folders {
            if isMade, part.withCPath({ mkdirat(folder.number, $0, 0o777) }) != 0, errno != EEXIST {
                throw Descriptor.OpenError(number: errno)
            }
            do throws(Descriptor.OpenError) {
                folder = try Descriptor.open(part, in: folder.number, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
            } catch {
                // The kernel reports a symbolic link as ENOTDIR, like a file.
                throw Self.isLink(part, in: folder.number) ? Descriptor.OpenError(number: ELOOP) : error
            }
        }
        return folder
    }

    private static func isLink(_ name: [UInt8], in folder: Int32) -> Bool {
        var status = stat()
        return name.withCPath { fstatat(folder, $0, &status, AT_SYMLINK_NOFOLLOW) } == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    private static func content(
        of name: [UInt8], in folder: Int32, sizes: Set<Int>
    ) throws(Descriptor.OpenError) -> Content {
        do throws(Descriptor.OpenError) {
            let file = try ReadableFile(name, in: folder)
            guard sizes.contains(file.bytes), let text = try file.text(bytesMax: file.bytes) else { return .other }
            return .bytes(text)
        } catch {
            if error.number == ENOENT { return .nothing }
            if error.number == ELOOP { return .link }
            if error.number == ENXIO { return .other }
            throw error
        }
    }
}
