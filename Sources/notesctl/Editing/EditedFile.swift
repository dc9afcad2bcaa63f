#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A file that an editor has open, read when it was changed and rewritten without ever taking away what the editor wrote.
struct EditedFile: ~Copyable {
    let directory: String
    let name: String
    /// What it has, as far as is known.
    private(set) var text: [UInt8]
    private var mark: Mark?
    /// As it was at the last look, where it is changed and may still be written.
    private var unsettled: Mark?
    /// What the file had before it was rewritten last: that one stands under the other name, for an editor that still writes into it.
    private var former: [UInt8]?

    /// False once it turned out that its file system cannot exchange names.
    private(set) var canBeRewritten = true

    /// What tells that a file was written.
    private struct Mark: Hashable {
        let device: UInt, inode: UInt, bytes: Int, seconds: Int, nanoseconds: Int
    }

    enum Look {
        case same
        /// It was changed, and may be in the middle of it; or it is not there for a moment.
        case unsettled
        case changed([UInt8])
        /// The editor has ended, and what it left cannot be read.
        case unreadable(ExitFailure)
    }

    init(directory: String, name: String, text: [UInt8]) {
        (self.directory, self.name, self.text) = (directory, name, text)
        mark = Self.mark(of: "\(directory)/\(name)")
    }

    private var path: String { "\(directory)/\(name)" }
    /// Where a stray is.
    var otherPath: String { "\(directory)/.\(name).merged" }

    private static func mark(of path: String) -> Mark? {
        var state = stat()
        guard Array(path.utf8).withCPath({ stat($0, &state) }) == 0 else { return nil }
        return Mark(
            device: UInt(state.st_dev), inode: UInt(state.st_ino), bytes: Int(state.st_size), seconds: state.st_mtim.tv_sec,
            nanoseconds: state.st_mtim.tv_nsec)
    }

    /// - Parameter isLast: whether the editor has ended, so that what is there is whole.
    mutating func look(isLast: Bool = false) -> Look {
        guard let now = Self.mark(of: path) else {
            // That it is not there is not for this to judge.
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
        // One who writes a file in place empties it first.
        if !isLast, bytes.isEmpty, Self.mark(of: path) != now { return .unsettled }
        return .changed(bytes)
    }

    /// What the editor wrote is dealt with.
    mutating func took(_ text: [UInt8]) {
        self.text = text
        mark = Self.mark(of: path)
        // Written again meanwhile: it will be seen.
        if contents(of: path) != text { mark = nil }
    }

    /// Puts a text in the place of the one that is known. Returns false, and all is as it was, where the editor wrote since.
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
        // The editor may have written between the look and the exchange. Then its text goes back, unless it wrote the new file too.
        if contents(of: otherPath) != self.text, Self.mark(of: path) == new, exchange() {
            unlink(otherPath)
            return false
        }
        (former, self.text) = (self.text, text)
        (mark, unsettled) = (new, nil)
        return true
    }

    /// What an editor wrote into the file that was there before the last rewriting, having opened it before. It is told until it is
    /// dealt with.
    func stray() -> [UInt8]? {
        guard let former, let bytes = contents(of: otherPath), bytes != former else { return nil }
        return bytes
    }

    mutating func tookStray(_ text: [UInt8]) {
        former = text
    }

    /// Unless a stray is there that was not dealt with.
    func removeOther() {
        if stray() == nil { unlink(otherPath) }
    }

    /// The two names change places at one moment, so that neither file is ever without one.
    private func exchange() -> Bool {
        guard let rename = Self.rename else {
            errno = ENOSYS
            return false
        }
        return Array(otherPath.utf8).withCPath { other in
            Array(path.utf8).withCPath { path in rename(AT_FDCWD, other, AT_FDCWD, path, Self.exchangeFlag) == 0 }
        }
    }

    private typealias Rename = @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32

    /// `renameat2`, which is in the library and not in what is imported of it.
    private static let rename = dlsym(nil, "renameat2").map { unsafeBitCast($0, to: Rename.self) }
    /// `RENAME_EXCHANGE`.
    private static let exchangeFlag: UInt32 = 2

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
