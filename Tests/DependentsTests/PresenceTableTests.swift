import Causality
import NoteText
import NotesModel
import TestKit
import Testing

@testable import Dependents

/// Compares the table with a list of lines that is searched from the start each time.
@Suite struct PresenceTableTests {
    private struct NaivePresenceTable {
        var lines: [PresenceLine] = []
        var newest: UInt64 = 0
        var forgotten: UInt64 = 0
        let departuresMax: Int

        mutating func append(_ note: NoteID, _ dependent: DependentID, _ presence: Presence?) {
            newest += 1
            lines.removeAll { $0.note == note && $0.dependent == dependent }
            lines.append(
                PresenceLine(
                    stamp: newest, note: note, dependent: dependent, label: nil, userID: 7, userName: "ada", person: nil,
                    presence: presence))
            guard presence == nil, lines.count(where: { $0.presence == nil }) > departuresMax,
                let oldest = lines.firstIndex(where: { $0.presence == nil })
            else { return }
            forgotten = lines.remove(at: oldest).stamp
        }

        func presence(of dependent: DependentID) -> Presence? {
            lines.first { $0.dependent == dependent && $0.presence != nil }?.presence
        }

        mutating func put(_ presence: Presence?, of dependent: DependentID) {
            let old = self.presence(of: dependent)
            guard presence != old else { return }
            if let old, old.note != presence?.note { append(old.note, dependent, nil) }
            if let presence { append(presence.note, dependent, presence) }
        }

        mutating func republish(_ note: NoteID) {
            for line in lines.filter({ $0.note == note }).sorted(by: { $0.dependent < $1.dependent }) {
                append(note, line.dependent, line.presence)
            }
        }
    }

    private func head(_ note: NoteID, _ bytes: Int) -> Head {
        Head(
            id: note, name: nil, version: version("A1"), vector: VersionVector(), title: "", tags: [],
            created: Timestamp(milliseconds: 0), modified: Timestamp(milliseconds: 0), author: ada, bytes: bytes, isDeleted: false
        )
    }

    @Test(arguments: seeds(200))
    func table_matchesListOfLines(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let departuresMax = random.pick([0, 1, 3, 8])
        var presenceTable = PresenceTable(departuresMax: departuresMax)
        var naive = NaivePresenceTable(departuresMax: departuresMax)
        let registration = Registration(
            clientName: "c", clientVersion: "1", label: nil, userID: 7, userName: "ada", encoding: .utf8)
        let notes = (1...UInt64(random.pick([1, 3, 6]))).map { noteID($0) }
        for step in 0..<150 {
            let dependent = DependentID(UInt64(random.below(5)))
            if random.chance(0.1) {
                let note = random.pick(notes)
                let head = head(note, step)
                let dependents = presenceTable.changed(to: head)
                let about = naive.lines.filter { $0.note == note }
                #expect(dependents ?? [] == Set(about.map(\.dependent)), "seed \(seed) step \(step)")
                if let dependents { presenceTable.republish(head, of: dependents) }
                naive.republish(note)
            } else {
                let note = random.pick(notes)
                let presence =
                    random.chance(0.3)
                    ? nil : Presence(note: note, version: version(random.pick(["A1", "A2"])), selection: nil)
                presenceTable.put(presence, head: presence.map { head($0.note, step) }, of: dependent, registration)
                naive.put(presence, of: dependent)
            }
            #expect(
                presenceTable.newest == naive.newest && presenceTable.forgotten == naive.forgotten, "seed \(seed) step \(step)")
            let stamp = UInt64(random.below(Int(naive.newest) + 2))
            let left = naive.lines.filter { $0.stamp > stamp }
            #expect(Array(presenceTable.lines(after: stamp)) == left, "seed \(seed) step \(step)")
            #expect(presenceTable.first(after: stamp) == left.first, "seed \(seed) step \(step)")
            #expect(presenceTable.countMax(after: stamp) >= left.count, "seed \(seed) step \(step)")
            #expect(
                presenceTable.countMax(after: 0) <= 2 * naive.lines.count + 1, "what is replaced goes; seed \(seed) step \(step)")
            #expect(presenceTable.presence(of: dependent) == naive.presence(of: dependent), "seed \(seed) step \(step)")
            #expect(presenceTable.isEmpty == naive.lines.isEmpty, "seed \(seed) step \(step)")
            for note in notes {
                let isAbout = naive.lines.contains { $0.note == note }
                #expect((presenceTable.head(of: note) != nil) == isAbout, "seed \(seed) step \(step)")
            }
        }
    }
}
