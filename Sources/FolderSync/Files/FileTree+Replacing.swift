import Console
import Glibc
import NoteText
import NotesModel

/// New bytes in the place of a file.
extension FileTree {
    /// Bytes on their way to a file.
    struct Draft: Sendable {
        fileprivate let content: FileContent
        fileprivate let folders: ArraySlice<[UInt8]>
        fileprivate let name: [UInt8]
        fileprivate let serial: Int

        /// The name of the new file until it has been synced.
        fileprivate var part: [UInt8] { TemporaryName(serial: serial, known: []).bytes }
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
        let draft = try Draft(FileContent(of: text), of: path, serial: serial)
        let folder = try open(draft.folders, isMade: true)
        do throws(Descriptor.OpenError) {
            let file = try begin(draft, in: folder)
            try file.writeAll(text)
            finish(draft, file, in: folder, modified)
        } catch {
            Self.unlink(draft.part, in: folder.number)
            throw error
        }
        return draft
    }

    /// As `draft(_:of:modified:serial:)`, with bytes that come in parts.
    ///
    /// - Parameter body: writes the bytes of the content.
    /// - Throws: `Descriptor.OpenError`, or the error of `body`.
    func draft(
        _ content: FileContent, of path: [UInt8], modified: Timestamp?, serial: Int,
        _ body: (_ write: ([UInt8]) throws(Descriptor.OpenError) -> Void) async throws -> Void
    ) async throws -> Draft {
        let draft = try Draft(content, of: path, serial: serial)
        let folder = try open(draft.folders, isMade: true)
        do {
            let file = try begin(draft, in: folder)
            try await body { part throws(Descriptor.OpenError) in try file.writeAll(part) }
            finish(draft, file, in: folder, modified)
        } catch {
            Self.unlink(draft.part, in: folder.number)
            throw error
        }
        return draft
    }

    private func begin(_ draft: Draft, in folder: borrowing Descriptor) throws(Descriptor.OpenError) -> Descriptor {
        try Descriptor.open(draft.part, in: folder.number, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o666)
    }

    private func finish(
        _ draft: Draft, _ file: borrowing Descriptor, in folder: borrowing Descriptor, _ modified: Timestamp?
    ) {
        Self.copyMode(of: draft.name, in: folder.number, to: file.number)
        if let modified { file.setModified(modified) }
        file.startWriting()
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
        _ draft: Draft, over expected: Look? = nil, isLeasing: Bool = false, bytesMax: Int = .max
    ) throws(Descriptor.OpenError) -> Placing {
        let folder = try open(draft.folders, isMade: false)
        defer { Self.unlink(draft.part, in: folder.number) }
        try Descriptor.open(draft.part, in: folder.number, O_RDONLY | O_NOFOLLOW).sync()
        var former: [FileHash] = []
        if case .file(let content)? = expected { former = [content.hash] }
        let temporary = TemporaryName(serial: draft.serial, known: [draft.content.hash] + former).bytes
        let number = Renaming.replace(draft.part, over: temporary, in: folder.number)
        guard number == 0 else { throw Descriptor.OpenError(number: number) }
        // Whatever happens, what a program wrote keeps a name.
        defer { Self.unlink(temporary, in: folder.number, if: draft.content) }
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

    /// Gives a new file its name.
    private static func name(
        _ temporary: [UInt8], _ draft: Draft, in folder: Int32, over expected: Look?, isLeasing: Bool, bytesMax: Int
    ) throws(Descriptor.OpenError) -> Placing {
        let name = draft.name
        // While the lease lasts, a program that opens the file for writing waits. A program that opened
        // it before, or waits when the names are exchanged, would write into a file without a name.
        var leased: Int32 = -1
        if isLeasing, case .file? = expected {
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
        case .file(let content)?:
            number = Renaming.exchange(name, temporary, in: folder)
            // A program may be about to make the file anew.
            if number == ENOENT, isLeasing { return .refused }
            if number == ENOENT {
                number = Renaming.replace(temporary, over: name, in: folder)
            } else if number == 0 {
                // A program may have written the file between the comparison and the exchange.
                let replaced = try look(at: temporary, in: folder, sizes: [content.bytes])
                if replaced == .file(content), !(isGranted == true && ReadLease.isAwaited(leased)) {
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
        var shown = draft.content
        // A text that is not compared keeps its temporary name, and `clear` makes it visible.
        for _ in 0..<Self.exchangesMax {
            let replaced = wholeText(of: temporary, in: folder, bytesMax: bytesMax)
            let number = Renaming.exchange(draft.name, temporary, in: folder)
            guard number == 0 else { throw Descriptor.OpenError(number: number) }
            if let replaced { texts.append(replaced) }
            if try look(at: temporary, in: folder, sizes: [shown.bytes]) == .file(shown) {
                unlink(temporary, in: folder)
                return .shown(over: texts)
            }
            guard let replaced else { break }
            shown = FileContent(of: replaced)
        }
        return .shown(over: texts)
    }

    /// The text of a regular file; nil if it is longer than that or being written.
    private static func wholeText(of name: [UInt8], in folder: Int32, bytesMax: Int) -> [UInt8]? {
        guard let file = try? ReadableFile(name, in: folder), !file.isBeingWritten else { return nil }
        return try? file.text(bytesMax: bytesMax)
    }
}

extension FileTree.Draft {
    fileprivate init(_ content: FileContent, of path: [UInt8], serial: Int) throws(Descriptor.OpenError) {
        let (folders, name) = try FileTree.parts(of: path)
        self.init(content: content, folders: folders, name: name, serial: serial)
    }
}
