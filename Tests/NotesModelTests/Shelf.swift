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
            let write = Write(dot: Dot(replica("A"), counter + 1), author: ada, time: Timestamp(milliseconds: Int64(counter)))
            var step = copy.apply(command, as: write)
            var met: Set<WorkingCopy.Need> = []
            while case .needs(let need) = step {
                guard met.insert(need).inserted else {
                    Issue.record("what was supplied is asked for again: \(need)")
                    break
                }
                switch need {
                case .holders(let name):
                    let holders = heads.values.filter { $0.name == name && !$0.isDeleted }.map(\.id).sorted()
                    copy.supply(holders: holders, of: name)
                case .note(let id, let reach): copy.supply(loaded: note(id, reaching: reach), for: id, reaching: reach)
                }
                step = copy.apply(command, as: write)
            }
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

    func note(_ id: NoteID, reaching reach: Reach = .newest) -> Note? {
        record(id, reaching: reach).map { Note($0) }
    }

    private func record(_ id: NoteID, reaching reach: Reach) -> NoteRecord? {
        guard let all = revisions[id], let first = all.first, let head = heads[id] else { return nil }
        let root = handsOutTails ? rootIndex(of: all.map(\.revision), all.map(\.coversAll), reaching: reach) : nil
        return NoteRecord(
            id: id, created: first.revision.time, vector: head.vector, sequence: UInt64(all.count),
            root: root.map { index in
                let accepted = all[index]
                return NoteRecord.Root(
                    dot: accepted.revision.dot, text: accepted.text, name: accepted.name,
                    isDeleted: accepted.revision.isTombstone, author: accepted.revision.author, time: accepted.revision.time,
                    conflicts: accepted.conflicts)
            }, tail: all[((root ?? -1) + 1)...].map(\.revision))
    }

    /// The newest revision that has all before it in its past, is in the past of all after it, and stands at or below all that
    /// is asked for.
    private func rootIndex(of revisions: [Revision], _ coversAll: [Bool], reaching reach: Reach) -> Int? {
        let asked: Version
        switch reach {
        case .newest: asked = .nothing
        case .start: return nil
        case .dots(let version): asked = version
        }
        return revisions.indices.last { index in
            let above = revisions[(index + 1)...]
            let aboveDots = Set(above.map(\.dot)).union([revisions[index].dot])
            let isCritical =
                coversAll[index] && above.allSatisfy { !$0.parents.isNothing && $0.parents.dots.allSatisfy(aboveDots.contains) }
            let known = Set(revisions.map(\.dot))
            return isCritical && asked.dots.filter(known.contains).allSatisfy(aboveDots.contains)
        }
    }
}
