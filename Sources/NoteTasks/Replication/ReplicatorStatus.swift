import Console
import Glibc
import NoteText
package import NotesModel
import NotesWire
package import Replication
import StrictJSON
import Synchronization

/// The state that a running `notesctl sync` publishes for `notesctl peer list`: a file `replicators/NAME`
/// in the user's runtime directory, or in the state directory if there is none. The process holds a lock
/// on it.
package final class ReplicatorStatus: Sendable {
    private let file: Descriptor
    private let last = Mutex<(text: String, phase: ReplicationState.Phase)?>(nil)

    /// Takes the lock of a peer.
    ///
    /// - Throws: `ExitFailure` if another process replicates with the peer.
    package init(_ name: String) async throws {
        let path = try Self.path(of: name, isMade: true)
        do {
            file = try Descriptor.open(Array(path.utf8), O_RDWR | O_CREAT | O_NOFOLLOW)
        } catch {
            throw ExitFailure("cannot open \(SafeText.line(path)): \(error.text)")
        }
        guard try await file.isLockedSoon() else {
            throw ExitFailure("another process replicates with \(name) already; see `notesctl peer list`", .notNow)
        }
    }

    private static func path(of name: String, isMade: Bool = false) throws -> String {
        guard let base = Environment["XDG_RUNTIME_DIR"] ?? Environment.state else {
            throw ExitFailure("set XDG_RUNTIME_DIR or HOME, for the state of the replicator", .usage)
        }
        let folder = base + "/notesd/replicators"
        if isMade { try PrivateDirectory.make(folder) }
        return "\(folder)/\(name)"
    }

    /// Publishes a state. A failure only leaves the file as it was.
    ///
    /// - Returns: whether the phase is another than before.
    package func publish(_ state: ReplicationState, at time: Timestamp) -> Bool {
        let text = "\(state)"
        let (isNew, isPhaseNew) = last.withLock { last in
            defer { last = (text, state.phase) }
            return (last?.text != text, last?.phase != state.phase)
        }
        guard isNew else { return false }
        var writer = JSONWriter()
        writer.object { line in
            line.member("state", text)
            line.member("since", TimestampText.text(time))
        }
        writer.endLine()
        // A reader always finds a whole line at the beginning.
        file.rewind()
        try? file.writeAll(writer.bytes)
        ftruncate(file.number, off_t(writer.bytes.count))
        return isPhaseNew
    }

    /// The published state of a peer; nil if no process replicates with it, and none ended for good.
    package static func read(_ name: String) -> String? {
        guard let path = try? path(of: name), let file = try? Descriptor.open(Array(path.utf8), O_RDONLY | O_NOFOLLOW),
            let bytes = try? file.readAll(), let line = bytes.split(separator: UInt8(ascii: "\n")).first,
            let root = try? JSONDocument(parsing: Array(line), depthMax: 2).root
        else { return nil }
        let state = root["state"]?.string?.description
        // The reason of an end outlives the process.
        return file.isLocked || state?.hasPrefix("stopped") == true ? state : nil
    }
}
