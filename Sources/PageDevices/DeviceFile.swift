package import Console
import Glibc

/// The file of the devices, `web.json` in the program's state folder, mode 0600. It has hashes, and no key
/// or cookie. The commands and the running page change it, one after the other, by renaming.
package struct DeviceFile: Sendable {
    private let path: String

    /// - Throws: `ExitFailure` if the user has no state directory.
    package init() throws(ExitFailure) {
        guard let folder = StateFolder.made() else {
            throw ExitFailure("the page needs a state directory for its devices; set HOME or XDG_STATE_HOME", .usage)
        }
        path = "\(folder)/web.json"
    }

    /// Differs between two versions of the file.
    package struct Stamp: Hashable, Sendable {
        fileprivate let inode: ino_t
        fileprivate let seconds: Int
        fileprivate let nanoseconds: Int
    }

    package var stamp: Stamp? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        return Stamp(inode: status.st_ino, seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec)
    }

    /// The devices; none if the file does not exist.
    ///
    /// - Throws: `ExitFailure` if somebody else can read or write the file, or it is damaged.
    package func read() throws(ExitFailure) -> DeviceBook {
        let file: Descriptor
        do {
            file = try Descriptor.open(Array(path.utf8), O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        } catch {
            if error.number == ENOENT { return DeviceBook() }
            throw ExitFailure("cannot read \(path): \(error.text); it must be a file of yours, with mode 0600", .notAllowed)
        }
        var status = stat()
        guard fstat(file.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == getuid(),
            status.st_mode & 0o077 == 0
        else {
            throw ExitFailure(
                "\(path) can be read or written by others; set its mode to 0600 and revoke devices that you do not know",
                .notAllowed)
        }
        guard let bytes = try? file.readAll(), let book = DeviceBook(parsing: bytes) else {
            throw ExitFailure("\(path) is damaged; remove it, and sign all devices in again", .badData)
        }
        return book
    }

    /// Changes the file while no other process does.
    ///
    /// - Parameter change: returns nil if nothing is to be written.
    /// - Throws: `ExitFailure` if the file cannot be read or written.
    package func update<Result>(_ change: (inout DeviceBook) -> Result?) throws(ExitFailure) -> Result? {
        let lock = FileLock.taken(by: "web")
        defer { _ = lock }
        var book = try read()
        guard let result = change(&book) else { return nil }
        try write(book.json)
        return result
    }

    private func write(_ bytes: [UInt8]) throws(ExitFailure) {
        let new = "\(path).new"
        do {
            let file = try Descriptor.open(Array(new.utf8), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW)
            let failed = Output.writeAll(bytes, to: file.number)
            guard failed == 0 else { throw Descriptor.OpenError(number: failed) }
            guard fchmod(file.number, 0o600) == 0, fsync(file.number) == 0, rename(new, path) == 0 else {
                throw Descriptor.OpenError(number: errno)
            }
        } catch {
            unlink(new)
            throw ExitFailure("cannot write \(path): \((error as? Descriptor.OpenError)?.text ?? "\(error)")")
        }
    }
}
