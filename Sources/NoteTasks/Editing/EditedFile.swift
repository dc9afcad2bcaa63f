import Console
import Glibc

/// A file that an editor has open. It is read when it changes, and rewritten without ever
/// discarding what the editor wrote.
struct EditedFile: ~Copyable {
    let directory: String
    let name: String
    /// The last known content.
    private(set) var text: [UInt8]
    private var mark: Mark?
    /// The file's state at the last look if it has changed but may still be being written.
    private var unsettled: Mark?
    /// The content before the last rewrite. That old file lives on under `otherPath`, because the
    /// editor may still have it open and write to it.
    private var former: [UInt8]?

    /// False once the file system has proved unable to exchange two names.
    private(set) var canBeRewritten = true

    /// File metadata that changes when the file is written.
    private struct Mark: Hashable {
        let device: UInt, inode: UInt, bytes: Int, seconds: Int, nanoseconds: Int
    }

    /// The result of a look at the file.
    enum Look {
        /// Nothing new.
        case same
        /// The file has changed and may be only partly written, or it is missing for a moment.
        case unsettled
        /// The editor wrote this text.
        case changed([UInt8])
        /// The editor has exited, and the file it left cannot be read.
        case unreadable(ExitFailure)
    }

    init(directory: String, name: String, text: [UInt8]) {
        (self.directory, self.name, self.text) = (directory, name, text)
        mark = Self.mark(of: "\(directory)/\(name)")
    }

    private var path: String { "\(directory)/\(name)" }
    /// The hidden second name, which holds the old file after a rewrite.
    var otherPath: String { "\(directory)/.\(name).merged" }

    private static func mark(of path: String) -> Mark? {
        var state = stat()
        guard Array(path.utf8).withCPath({ stat($0, &state) }) == 0 else { return nil }
        return Mark(
            device: UInt(state.st_dev), inode: UInt(state.st_ino), bytes: Int(state.st_size), seconds: state.st_mtim.tv_sec,
            nanoseconds: state.st_mtim.tv_nsec)
    }

    /// Compares the file with its last known state. Reports a change only if two looks in a row
    /// find the same metadata, so that a half-written file is not taken.
    ///
    /// - Parameter isLast: whether the editor has exited, so the file must be complete.
    mutating func look(isLast: Bool = false) -> Look {
        guard let now = Self.mark(of: path) else {
            // The caller decides what a missing file means.
            return isLast && errno != ENOENT ? .unreadable(unreadable(errno)) : .unsettled
        }
        if now == mark {
            unsettled = nil
            return .same
        }
        guard isLast || now == unsettled else {
            unsettled = now
            return .unsettled
        }
        let bytes: [UInt8]
        do throws(Descriptor.OpenError) { bytes = try Self.read(path) } catch {
            unsettled = now
            return isLast ? .unreadable(unreadable(error.number)) : .unsettled
        }
        guard bytes != text else {
            mark = now
            return .same
        }
        // A program that writes a file in place truncates it first.
        if !isLast, bytes.isEmpty, Self.mark(of: path) != now { return .unsettled }
        return .changed(bytes)
    }

    /// Records that the caller has handled a text that the editor wrote.
    mutating func took(_ text: [UInt8]) {
        self.text = text
        mark = Self.mark(of: path)
        // The editor has written again meanwhile; the next look finds that.
        if contents(of: path) != text { mark = nil }
    }

    /// Replaces the known content with a text, by exchanging names with a new file. Returns false
    /// and changes nothing if the editor has written since.
    ///
    /// - Throws: `ExitFailure` if the new file cannot be written or exchanged.
    mutating func rewrite(with text: [UInt8]) throws -> Bool {
        guard stray() == nil, contents(of: path) == self.text else { return false }
        unlink(otherPath)
        do {
            try Descriptor.open(Array(otherPath.utf8), O_WRONLY | O_CREAT | O_EXCL).writeAll(text)
        } catch {
            unlink(otherPath)
            throw ExitFailure("cannot write \(otherPath): \(error.text)")
        }
        let new = Self.mark(of: otherPath)
        guard exchange() else {
            let number = errno
            unlink(otherPath)
            if [EINVAL, ENOSYS, EOPNOTSUPP].contains(number) { canBeRewritten = false }
            throw ExitFailure("cannot rewrite \(path): \(SystemError.text(number))")
        }
        // The editor may have written between the comparison and the exchange. Then exchange back,
        // unless the editor has also written the new file.
        if contents(of: otherPath) != self.text, Self.mark(of: path) == new, exchange() {
            // The editor may have written the new file too, right before it lost its name. What it wrote
            // is then a stray.
            former = text
            removeOther()
            return false
        }
        (former, self.text) = (self.text, text)
        (mark, unsettled) = (new, nil)
        return true
    }

    /// Text that the editor wrote to the old file, which it had opened before the last rewrite.
    /// Returned until the caller handles it; nil if there is none.
    func stray() -> [UInt8]? {
        guard let former, let bytes = contents(of: otherPath), bytes != former else { return nil }
        return bytes
    }

    /// Records that the caller has handled a stray text.
    mutating func tookStray(_ text: [UInt8]) {
        former = text
    }

    /// Removes the old file, unless it holds a stray text that has not been handled.
    func removeOther() {
        if stray() == nil { unlink(otherPath) }
    }

    /// Exchanges the two names atomically, so that neither is ever missing.
    private func exchange() -> Bool {
        let number = Renaming.exchange(Array(path.utf8), Array(otherPath.utf8), in: AT_FDCWD)
        if number != 0 { errno = number }
        return number == 0
    }

    private func contents(of path: String) -> [UInt8]? {
        try? Self.read(path)
    }

    private static func read(_ path: String) throws(Descriptor.OpenError) -> [UInt8] {
        try Descriptor.open(Array(path.utf8), O_RDONLY).readAll()
    }

    private func unreadable(_ number: Int32) -> ExitFailure {
        ExitFailure("cannot read \(path): \(SystemError.text(number)); the editor's last changes are not saved")
    }
}
