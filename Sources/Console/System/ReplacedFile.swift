import Glibc

/// A new file that takes a name once it is whole, so that nobody sees a part of it.
package final class ReplacedFile {
    private let path: [UInt8]
    private let temporary: [UInt8]
    private let descriptor: Descriptor
    private var isFinished = false

    /// Makes a file of a passing name beside the path. The bytes get the usual mode of new files, or that of the file that
    /// they replace.
    package init(_ path: String) throws(ExitFailure) {
        self.path = Array(path.utf8)
        temporary = self.path + Array(".\(getpid()).part".utf8)
        var status = stat()
        let mode = self.path.withCPath { stat($0, &status) } == 0 ? status.st_mode & 0o777 : 0o666
        do throws(Descriptor.OpenError) {
            descriptor = try .open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
        } catch {
            throw ExitFailure("\(SafeText.quoted(path)) cannot be written: \(error.text)")
        }
    }

    deinit {
        if !isFinished { _ = temporary.withCPath { unlink($0) } }
    }

    package func write(_ bytes: [UInt8]) throws {
        do throws(Descriptor.OpenError) { try descriptor.writeAll(bytes) } catch { throw failure(error.number) }
    }

    /// Gives the file its name, over what has it.
    package func finish() throws {
        guard fsync(descriptor.number) == 0 || errno == EINVAL else { throw failure(errno) }
        let number = temporary.withCPath { from in path.withCPath { to in rename(from, to) } } == 0 ? 0 : errno
        guard number == 0 else { throw failure(number) }
        isFinished = true
    }

    private func failure(_ number: Int32) -> ExitFailure {
        ExitFailure(
            "\(SafeText.quoted(String(decoding: path, as: UTF8.self))) cannot be written: \(SystemError.text(number))")
    }
}
