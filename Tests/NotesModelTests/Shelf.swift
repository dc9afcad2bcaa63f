import Causality
import NotesModel
import TestKit
import Testing

/// A store as plain as can be: every revision of every note, and the whole history handed out each time or, to exercise notes
/// that start above a critical version, the newest part of it that will do.
struct Shelf {
    private(set) var revisions: [NoteID: [Accepted]] = [:]
    private(set) var heads: [NoteID: Head] = [:]
    private var counter: UInt64 = 0
    var limits = ModelLimits()
    let handsOutTails: Bool

    init(handsOutTails: Bool = true) {
        self.handsOutTails = handsOutTails
    }

    /// One command in a batch of its own.
    mutating func apply(_ command: Command) -> WorkingCopy.Step {
        apply([command])[0]
    }

    /// Commands in one batch, committed together.
    mutating func apply(_ commands: [Command]) -> [WorkingCopy.Step] {
        var copy = WorkingCopy(limits: limits)
        return commands.map { command in
            let write = WriteContext(dot: Dot(replica("A"), counter + 1), author: ada, time: Timestamp(milliseconds: Int64(counter)))
            let step = copy.apply(command, as: write, heads: heads) { note($0, downTo: $1) }
            if case .accepted(let accepted) = step {
                counter += 1
                pending.append(accepted)
            }
            return step
        } + commit()
    }

    private var pending: [Accepted] = []

    private mutating func commit() -> [WorkingCopy.Step] {
        for accepted in pending {
            revisions[accepted.after.id, default: []].append(accepted)
            heads[accepted.after.id] = accepted.after
        }
        pending = []
        return []
    }

    func note(_ id: NoteID, downTo depth: LoadDepth = .newest) -> Note? {
        guard let all = revisions[id], let head = heads[id] else { return nil }
        return Note(NoteRecord(all, head: head, downTo: depth, isWhole: !handsOutTails))
    }
}
