import Dependents
import NoteText
import NotesModel

/// Checks the presence that one dependent receives. It keeps a simple record of where every
/// dependent is, and of what a client holds that follows protocol §5.
struct PresenceChecker {
    private struct Key: Hashable {
        let note: NoteID
        let dependent: UInt64
    }

    let receiver: UInt64
    /// What the client holds.
    private var view: [Key: Presence] = [:]
    private(set) var faults: [String] = []

    init(receiver: UInt64) {
        self.receiver = receiver
    }

    /// The properties of a watch that matter here.
    struct Coverage {
        let filter: Filter
        let isEchoing: Bool
        let isSynced: Bool

        func covers(of dependent: UInt64, to receiver: UInt64, in head: Head?) -> Bool {
            (isEchoing || dependent != receiver) && (head.map(filter.matches) ?? false)
        }
    }

    /// - Parameter truth: where every dependent is.
    mutating func delivered(_ line: PresenceLine, _ truth: [UInt64: Presence], _ watches: [Coverage], _ world: World) {
        let dependent = line.dependent.number
        let now = truth[dependent].flatMap { $0.note == line.note ? $0 : nil }
        if line.presence != now {
            faults.append("was told that \(dependent) is at \(String(describing: line.presence)), and not now")
        }
        if line.label?.description != "label \(dependent)" { faults.append("was told another's label") }
        let head = world.head(line.note, asOf: world.newest)
        if line.presence != nil, !watches.contains(where: { $0.isSynced && $0.covers(of: dependent, to: receiver, in: head) }) {
            faults.append("was told of a note that no synced watch covers")
        }
        view[Key(note: line.note, dependent: dependent)] = line.presence
    }

    mutating func delivered(_ line: Line) {
        switch line {
        case .reset: view = [:]
        case .changed(let line) where [.left, .deleted].contains(line.kind): view = view.filter { $0.key.note != line.note }
        case .changed, .synced, .bookmark: break
        }
    }

    /// The dependent's own write, which a watch without echo does not report, moved a note into or
    /// out of that watch.
    mutating func leftUnsent(_ note: NoteID) {
        view = view.filter { $0.key.note != note }
    }

    /// One of the watches ended; these are left.
    mutating func unwatched(_ left: [Coverage], _ world: World) {
        view = view.filter { key, _ in
            let head = world.head(key.note, asOf: world.newest)
            return left.contains { $0.isSynced && $0.covers(of: key.dependent, to: receiver, in: head) }
        }
    }

    /// Nothing is pending.
    mutating func ended(_ truth: [UInt64: Presence], _ watches: [Coverage], _ world: World) {
        func isCovered(_ dependent: UInt64, _ note: NoteID) -> Bool {
            watches.contains { $0.covers(of: dependent, to: receiver, in: world.head(note, asOf: world.newest)) }
        }
        let expected = truth.filter { isCovered($0.key, $0.value.note) }
        for (dependent, presence) in expected where view[Key(note: presence.note, dependent: dependent)] != presence {
            faults.append("was not told that \(dependent) is in \(presence.note)")
        }
        for key in view.keys where isCovered(key.dependent, key.note) && expected[key.dependent]?.note != key.note {
            faults.append("was not told that \(key.dependent) left \(key.note)")
        }
    }
}
