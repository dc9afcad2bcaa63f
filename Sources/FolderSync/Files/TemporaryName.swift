import Console
import Glibc
import NoteText

/// The name of a file that `FileTree` makes, or exchanges with a file of the folder, for a moment.
///
/// A process that is killed in that moment leaves the file. Its name says what may be removed: a `.part`
/// is the beginning of a text that was being written, or a text that may not be on the disk yet. A `.tmp` contains one of the texts whose hashes
/// are in its name, which the daemon has; with any other text, a program has written it.
struct TemporaryName: Equatable {
    /// The process that made the file.
    let process: Int32
    /// As in `FileTree.draft`.
    let serial: Int
    /// The first bytes of the SHA-256 of each content that the file may have, in hexadecimal digits; empty
    /// for a file that is being written.
    let known: [String]

    private static let prefix = ".notesctl-"
    private static let (partEnding, wholeEnding) = (".part", ".tmp")

    /// - Parameter known: what the file may contain; empty for a file that is being written.
    init(serial: Int, known: [FileHash]) {
        (process, self.serial, self.known) = (getpid(), serial, known.map { Self.mark(of: $0) })
    }

    /// Nil for a name that `bytes` cannot be.
    init?(parsing name: [UInt8]) {
        guard name.starts(with: Self.prefix.utf8), let text = String(validating: name, as: UTF8.self) else { return nil }
        let isPart = text.hasSuffix(Self.partEnding)
        guard isPart || text.hasSuffix(Self.wholeEnding) else { return nil }
        let ending = isPart ? Self.partEnding : Self.wholeEnding
        let parts = text.dropFirst(Self.prefix.count).dropLast(ending.count).split(
            separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 2, isPart == (parts.count == 2), let process = Int32(parts[0]), let serial = Int(parts[1]) else {
            return nil
        }
        (self.process, self.serial, known) = (process, serial, parts.dropFirst(2).map(String.init))
    }

    var bytes: [UInt8] {
        let parts = ["\(process)", "\(serial)"] + known
        return Array((Self.prefix + parts.joined(separator: "-") + (known.isEmpty ? Self.partEnding : Self.wholeEnding)).utf8)
    }

    /// Whether bytes in the file are some that the daemon has.
    func isKnown(_ hash: FileHash) -> Bool { known.contains(Self.mark(of: hash)) }

    /// Whether another process that may be the one that made the file is running.
    var isInUse: Bool {
        guard process != getpid() else { return false }
        let name = try? Descriptor.open(Array("/proc/\(process)/comm".utf8), O_RDONLY).readAll()
        return name?.starts(with: "notesctl".utf8) ?? false
    }

    private static func mark(of hash: FileHash) -> String { String(hash.description.prefix(16)) }
}
