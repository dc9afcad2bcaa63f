package import Console
import Glibc
import NoteTasks
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

    /// A text on its way to a file.
    struct Draft: Sendable {
        fileprivate let text: [UInt8]
        fileprivate let folders: ArraySlice<[UInt8]>
        fileprivate let name: [UInt8]
        fileprivate let serial: Int

        /// The name of the new file until it has been synced.
        fileprivate var part: [UInt8] { TemporaryName(serial: serial, texts: []).bytes }
    }

    /// The result of placing a draft.
    enum Placing: Equatable {
        case written
        /// The path has something else than expected.
        case refused
        /// The draft had the path for a moment, so a program may have read it. Then the newest file of a
        /// program got its path back.
        ///
        /// - Parameter over: the texts of the files that came off the path, oldest first. A program that had read the draft may
        ///   have replaced it since.
        case shown(over: [[UInt8]])
    }

    /// Writes a text to a new file with a temporary name, and creates missing directories. `place` gives
    /// the file its name. The disk starts to write it at once, so if several drafts are made before the
    /// first is placed, `place` waits about as long for all as for one.
    ///
    /// - Parameters:
    ///   - path: relative to the directory.
    ///   - modified: the time of change that the file gets; nil for now.
    ///   - serial: makes the temporary file's name unique within this process.
    func draft(
        _ text: [UInt8], of path: [UInt8], modified: Timestamp? = nil, serial: Int
    ) throws(Descriptor.OpenError) -> Draft {
        let (folders, name) = try Self.parts(of: path)
        let draft = Draft(text: text, folders: folders, name: name, serial: serial)
        let folder = try open(folders, isMade: true)
        do throws(Descriptor.OpenError) {
            let file = try Descriptor.open(draft.part, in: folder.number, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o666)
            try file.writeAll(text)
            Self.copyMode(of: name, in: folder.number, to: file.number)
            if let modified { file.setModified(modified) }
            file.startWriting()
        } catch {
            Self.unlink(draft.part, in: folder.number)
            throw error
        }
        return draft
    }

    /// Gives a draft its name, after its text has reached the disk: a power failure leaves the former
    /// text or the new one under the name.
    ///
    /// - Parameters:
    ///   - expected: what has the path now; nil to replace whatever it is.
    ///   - isLeasing: whether to replace no file that a program has open for writing, or opens for
    ///     writing at that moment.
    ///   - bytesMax: most bytes of a text in `Placing.shown`.
    func place(
        _ draft: Draft, over expected: Content? = nil, isLeasing: Bool = false, bytesMax: Int = .max
    ) throws(Descriptor.OpenError) -> Placing {
        let folder = try open(draft.folders, isMade: false)
        defer { Self.unlink(draft.part, in: folder.number) }
        try Descriptor.open(draft.part, in: folder.number, O_RDONLY | O_NOFOLLOW).sync()
        var former: [[UInt8]] = []
        if case .bytes(let text)? = expected { former = [text] }
        let temporary = TemporaryName(serial: draft.serial, texts: [draft.text] + former).bytes
        let number = Renaming.replace(draft.part, over: temporary, in: folder.number)
        guard number == 0 else { throw Descriptor.OpenError(number: number) }
        // Whatever happens, a text that a program wrote keeps a name.
        defer { Self.unlink(temporary, in: folder.number, if: draft.text) }
        return try Self.name(
            temporary, draft, in: folder.number, over: expected, isLeasing: isLeasing, bytesMax: bytesMax)
    }

    /// Gives a new file the access rights of the file that it replaces.
    private static func copyMode(of name: [UInt8], in folder: Int32, to file: Int32) {
        var status = stat()
        guard name.withCPath({ fstatat(folder, $0, &status, AT_SYMLINK_NOFOLLOW) }) == 0, status.st_mode & S_IFMT == S_IFREG
        else { return }
        fchmod(file, status.st_mode & 0o777)
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
        let text = temporary.known.isEmpty ? [] : try file.text(bytesMax: bytesMax)
        if temporary.known.isEmpty || text.map(temporary.isKnown) == true {
            Self.unlink(name, in: folder.number)
            return nil
        }
        let found = Array("recovered-\(temporary.process)-\(temporary.serial).md".utf8)
        let number = Renaming.move(name, to: found, in: folder.number)
        guard number == 0 else { throw Descriptor.OpenError(number: number) }
        return Array((folders + [found]).joined(separator: [UInt8(ascii: "/")]))
    }

    /// Removes a file that has the expected content.
    ///
    /// - Parameters:
    ///   - bytes: the size of the file.
    ///   - isLeasing: as in `place`.
    ///   - isTidying: whether the folders go too that have become empty because the file was removed.
    ///   - isExpected: whether the file may be removed, from its bytes.
    /// - Returns: whether the path is free now.
    func remove(
        _ path: [UInt8], bytes: Int, serial: Int, isLeasing: Bool = false, isTidying: Bool = false,
        if isExpected: ([UInt8]) -> Bool
    ) throws(Descriptor.OpenError) -> Bool {
        func mayGo(_ content: Content) -> Bool {
            if case .bytes(let text) = content { isExpected(text) } else { false }
        }
        let content = try content(of: path, sizes: [bytes])
        if content == .nothing { return true }
        guard case .bytes(let text) = content, mayGo(content) else { return false }
        let (folders, name) = try Self.parts(of: path)
        let folder = try open(folders, isMade: false)
        // As in `name`.
        let leased = isLeasing ? Self.opened(name, in: folder.number) : -1
        defer { if leased >= 0 { close(leased) } }
        let isGranted = leased >= 0 ? ReadLease.take(leased) : nil
        if isGranted == false { return false }
        // A program may have written the file since. So the file loses its name first.
        let temporary = TemporaryName(serial: serial, texts: [text]).bytes
        let number = Renaming.replace(name, over: temporary, in: folder.number)
        guard number == 0 else { throw Descriptor.OpenError(number: number) }
        guard mayGo(try Self.content(of: temporary, in: folder.number, sizes: [bytes])),
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
    private static func opened(_ name: [UInt8], in folder: Int32) -> Int32 {
        name.withCPath { openat(folder, $0, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
    }

    private static func unlink(_ name: [UInt8], in folder: Int32) {
        _ = name.withCPath { unlinkat(folder, $0, 0) }
    }

    /// Removes a file if it has a text.
    private static func unlink(_ name: [UInt8], in folder: Int32, if text: [UInt8]) {
        if (try? content(of: name, in: folder, sizes: [text.count])) == .bytes(text) { unlink(name, in: folder) }
    }

    private static func parts(
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
    private func open(_ folders: ArraySlice<[UInt8]>, isMade: Bool) throws(Descriptor.OpenError) -> Descriptor {
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

    /// Gives a new file its name.
    private static func name(
        _ temporary: [UInt8], _ draft: Draft, in folder: Int32, over expected: Content?, isLeasing: Bool, bytesMax: Int
    ) throws(Descriptor.OpenError) -> Placing {
        let name = draft.name
        // While the lease lasts, a program that opens the file for writing waits. A program that opened
        // it before, or waits when the names are exchanged, would write into a file without a name.
        var leased: Int32 = -1
        if isLeasing, case .bytes? = expected {
            leased = opened(name, in: folder)
        }
        defer { if leased >= 0 { close(leased) } }
        let isGranted = leased >= 0 ? ReadLease.take(leased) : nil
        if isGranted == false { return .refused }
        var number: Int32
        switch expected {
        case .nothing?:
            number = Renaming.move(temporary, to: name, in: folder)
            if number == EEXIST { return .refused }
        case .bytes(let bytes)?:
            number = Renaming.exchange(name, temporary, in: folder)
            // A program may be about to make the file anew.
            if number == ENOENT, isLeasing { return .refused }
            if number == ENOENT {
                number = Renaming.replace(temporary, over: name, in: folder)
            } else if number == 0 {
                // A program may have written the file between the comparison and the exchange.
                let replaced = try content(of: temporary, in: folder, sizes: [bytes.count])
                if replaced == .bytes(bytes), !(isGranted == true && ReadLease.isAwaited(leased)) {
                    unlink(temporary, in: folder)
                    return .written
                }
                return try exchangeBack(temporary, draft, in: folder, bytesMax: bytesMax)
            }
        case .link?, .other?: return .refused
        case nil: number = Renaming.replace(temporary, over: name, in: folder)
        }
        // A file system without these operations gets the plain one, right after the comparison.
        if Renaming.isUnsupported(number) { number = Renaming.replace(temporary, over: name, in: folder) }
        guard number == 0 else { throw Descriptor.OpenError(number: number) }
        return .written
    }

    /// Most exchanges with a program that makes a new file during each.
    private static let exchangesMax = 100

    /// Exchanges a draft with the file that it should not have replaced, and then again as long as a program
    /// has made yet another file meanwhile, so that the newest file of a program keeps the name.
    private static func exchangeBack(
        _ temporary: [UInt8], _ draft: Draft, in folder: Int32, bytesMax: Int
    ) throws(Descriptor.OpenError) -> Placing {
        var texts: [[UInt8]] = []
        var shown = draft.text
        // A text that is not compared keeps its temporary name, and `clear` makes it visible.
        for _ in 0..<Self.exchangesMax {
            let replaced = wholeText(of: temporary, in: folder, bytesMax: bytesMax)
            let number = Renaming.exchange(draft.name, temporary, in: folder)
            guard number == 0 else { throw Descriptor.OpenError(number: number) }
            if let replaced { texts.append(replaced) }
            if try content(of: temporary, in: folder, sizes: [shown.count]) == .bytes(shown) {
                unlink(temporary, in: folder)
                return .shown(over: texts)
            }
            guard let replaced else { break }
            shown = replaced
        }
        return .shown(over: texts)
    }

    /// The text of a regular file; nil if it is longer than that or being written.
    private static func wholeText(of name: [UInt8], in folder: Int32, bytesMax: Int) -> [UInt8]? {
        guard let file = try? ReadableFile(name, in: folder), !file.isBeingWritten else { return nil }
        return try? file.text(bytesMax: bytesMax)
    }
}
