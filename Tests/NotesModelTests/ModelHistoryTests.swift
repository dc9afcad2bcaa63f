import Causality
import NoteText
import NotesModel
import TestKit
import Testing

/// Random histories of several clients that read, write without reading, use stale bases, edit,
/// rename, delete and restore, in batches. They are checked against what each client was sent and
/// against a twin store that always loads whole histories.
@Suite struct ModelHistoryTests {
    private struct Client {
        var version: Version = .nothing
        var text: [UInt8] = []
        var isDeleted = false
    }

    /// - Parameters:
    ///   - made: the revisions of the note so far.
    ///   - kind: a number that chooses the kind of command; nil for any.
    private func command(
        _ id: NoteID, by client: Client, _ number: Int, made: [Dot], kind: Int? = nil, _ random: inout SeededGenerator
    ) -> Command {
        let lines = client.text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true).map {
            Array($0) + [UInt8(ascii: "\n")]
        }
        switch kind ?? random.below(12) {
        case 10, 11:
            // Some of them are not in the base, or are first revisions, and are refused.
            let dots = (0..<random.pick([1, 1, 1, 2])).map { _ in
                random.chance(0.4) ? random.pick(client.version.dots + made.suffix(1)) : random.pick(made)
            }
            return .undoNote(UndoNote(id: id, base: client.version, revisions: dots))
        case 0: return .deleteNote(DeleteNote(id: id, base: client.version))
        case 1: return .saveNote(SaveNote(id: id, base: client.version, text: nil, name: .set(ByteString("n\(random.below(5))"))))
        case 2...5:
            var lines = lines
            let at = random.below(lines.count + 1)
            if random.chance(0.4), at < lines.count {
                lines.remove(at: at)
            } else {
                lines.insert(bytes("line \(number)\n"), at: at)
            }
            return .saveNote(SaveNote(id: id, base: client.version, text: Array(lines.joined())))
        default:
            let start = random.below(client.text.count + 1)
            let end = min(client.text.count, start + random.below(3))
            let edit = PositionedEdit(start: start, end: end, text: bytes(random.pick(["", "x", "yz\n"])))
            return .editNote(EditNote(id: id, base: client.version, edits: [edit], encoding: .utf8))
        }
    }

    @Test func randomHistories_showTheSameHoweverLoaded() {
        for seed in seeds(8) {
            var random = SeededGenerator(seed: seed)
            var tails = Shelf(handsOutTails: true)
            var wholes = Shelf(handsOutTails: false)
            let id = noteID(1)
            let create = Command.createNote(CreateNote(id: id, isIDChosen: true, name: nil, text: bytes("one\ntwo\nthree\n")))
            _ = (tails.apply(create), wholes.apply(create))
            var clients = [Client](repeating: Client(), count: 3)
            for number in 0..<40 {
                let turns = (0..<1 + random.below(3)).map { _ in random.below(clients.count) }
                let made = tails.revisions[id]?.map(\.revision.dot) ?? []
                let commands = turns.map { command(id, by: clients[$0], number, made: made, &random) }
                let steps = tails.apply(commands)
                let twins = wholes.apply(commands)
                for (index, step) in steps.enumerated() {
                    let comment: Comment = "seed \(seed), write \(number)"
                    guard case .accepted(let accepted) = step else {
                        if case .refused(let rejection) = step, case .refused(let twin) = twins[index] {
                            #expect(rejection == twin, comment)
                        } else if case .unchanged(let outcome) = step, case .unchanged(let twin) = twins[index] {
                            #expect(outcome == twin, comment)
                        } else {
                            Issue.record("the twin store answered \(twins[index]), not \(step); \(comment)")
                        }
                        continue
                    }
                    guard case .accepted(let twin) = twins[index] else {
                        Issue.record("the twin store did not accept it; \(comment)")
                        continue
                    }
                    #expect(accepted.revision == twin.revision, comment)
                    #expect(accepted.after == twin.after, comment)
                    #expect(accepted.outcome == twin.outcome, comment)
                    let client = turns[index]
                    #expect(accepted.outcome.version == Version(accepted.revision.dot), comment)
                    #expect(
                        (accepted.outcome.shown?.version ?? accepted.outcome.version) == accepted.after.version,
                        "\(comment): every outcome reports the shown version")
                    clients[client] = Client(
                        version: accepted.outcome.version, text: accepted.text, isDeleted: accepted.isDeleted)
                    guard random.chance(0.25) else { continue }
                    var note = wholes.note(id, downTo: .start)
                    #expect(
                        note?.text(at: accepted.outcome.version) == accepted.text,
                        "\(comment): a writer's version shows what it wrote")
                }
                let loaded = tails.note(id)
                let whole = wholes.note(id, downTo: .start)
                let reader = random.below(clients.count)
                if random.chance(0.5), let loaded {
                    clients[reader] = Client(version: loaded.version, text: loaded.text, isDeleted: loaded.isDeleted)
                }
                if random.chance(0.3), case let base = Client(version: loaded?.version ?? .nothing),
                    case .undoNote(let undo) = command(id, by: base, 0, made: made, kind: 10, &random)
                {
                    expectPreview(of: undo, in: tails, "seed \(seed), write \(number)")
                }
                #expect(loaded?.head == whole?.head, "seed \(seed)")
                #expect(loaded?.text == whole?.text, "seed \(seed)")
            }
        }
    }

    /// A preview shows what the undo shows, and changes nothing. That of the revision that created the
    /// note shows what a save of the empty text on that revision shows.
    private func expectPreview(of undo: UndoNote, in shelf: Shelf, _ comment: Comment) {
        func result(_ command: Command) -> (merged: Outcome.Merged?, rejection: Rejection?, made: Int) {
            var copy = shelf
            let before = copy.revisions[undo.id]?.count ?? 0
            let step = copy.apply(command)
            return (step.outcome?.shown, step.rejection, (copy.revisions[undo.id]?.count ?? 0) - before)
        }
        var preview = undo
        preview.isPreview = true
        let (shown, made) = (result(.undoNote(preview)), result(.undoNote(undo)))
        #expect(shown.made == 0, comment)
        if case .cannotWithdraw(let first, .hasNoParents) = made.rejection {
            guard Set(undo.revisions) == [first] else { return }
            var note = shelf.note(undo.id, downTo: .start)
            guard note?.isDeleted == false, note?.text(at: Version(first)).isEmpty == false else { return }
            let cleared = result(save(undo.id, "", on: Version(first)))
            #expect(shown.merged?.text == cleared.merged?.text, comment)
        } else {
            #expect(shown.rejection == made.rejection, comment)
            #expect(shown.merged?.text == made.merged?.text, comment)
            #expect(shown.merged?.isDeleted == made.merged?.isDeleted, comment)
            #expect(shown.merged?.conflicts.count == made.merged?.conflicts.count, comment)
        }
    }
}
