import Causality
import Dependents
import NoteText
import NotesEngine
import NotesMethods
import NotesModel
import NotesStore
import TestKit
import Testing

/// `presence.set`, from the request to the receivers.
@Suite struct PresenceTests {
    private let id = noteID(1)
    private let watch = Call.watch(
        WatchNotes(filter: Filter(), include: .meta, since: nil, snapshot: false, echo: false))

    private func set(
        _ version: Version? = nil, _ selection: (Int, Int)? = nil, encoding: PositionEncoding = .utf8, of note: NoteID? = nil,
        isQuiet: Bool = false
    ) -> Call {
        .setPresence(
            SetPresence(
                SetPresence.Position(
                    note: note ?? id, version: version, selection: selection.map { Selection(start: $0.0, end: $0.1) },
                    encoding: encoding),
                isQuiet: isQuiet))
    }

    private func harness(_ text: String) async -> Harness {
        var harness = Harness(journal: Harness.memoryJournal())
        _ = await harness.register(1)
        _ = await harness.register(2)
        _ = await harness.ask(one, .write(create(id, text)))
        _ = await harness.ask(two, watch)
        return harness
    }

    @Test func watcher_getsPresenceAndItsEnd() async {
        var harness = await harness("é𝄞\n")
        let response = await harness.ask(one, set(version("A1"), (2, 6)))
        guard case .presenceSet = response else {
            Issue.record("\(String(describing: response))")
            return
        }
        let line = await harness.presenceLine(two) { $0.presence != nil }
        #expect(line?.dependent == one && line?.label == "c1" && line?.userID == 1_000)
        #expect(line?.presence?.version == version("A1"))
        #expect(line?.presence?.selection?.start == TextPosition(utf8: 2, utf16: 1, utf32: 1))
        #expect(line?.presence?.selection?.end == TextPosition(utf8: 6, utf16: 3, utf32: 2))
        harness.engine.submit([.released(one)])
        let gone = await harness.presenceLine(two) { $0.presence == nil }
        #expect(gone?.note == id && gone?.dependent == one)
    }

    @Test func invalidPresence_isRefusedAndChangesNothing() async {
        var harness = await harness("é𝄞\n")
        _ = await harness.ask(one, set(version("A1"), (0, 0)))
        #expect(await harness.ask(one, set(of: noteID(9)))?.rejection == .noteNotFound)
        let unknown = Rejection.unknownBase(known: .nothing, unknown: version("A2"))
        #expect(await harness.ask(one, set(version("A2")))?.rejection == unknown)
        let outside: [(Call, InvalidEdit.Fault)] = [
            (set(version("A1"), (1, 2)), .insideCharacter(offset: 1)), (set(version("A1"), (0, 8)), .pastEnd(length: 7)),
            (set(version("A1"), (0, 5), encoding: .utf16), .pastEnd(length: 4)),
            (set(version("A1"), (0, 2), encoding: .utf16), .insideCharacter(offset: 2)),
            (set(version("A1"), (6, 2)), .startAfterEnd), (set(version("A1"), (-1, 2)), .negative),
            (set(.nothing, (0, 1)), .pastEnd(length: 0)),
        ]
        for (body, fault) in outside {
            let response = await harness.ask(one, body)
            #expect(response?.failure == .selection(fault), "\(String(describing: response))")
        }
        guard case .dependents(let all)? = await harness.ask(two, .listDependents) else {
            Issue.record("no list")
            return
        }
        #expect(all.map { $0.presence?.selection?.end.utf8 } == [0, nil])
    }

    /// Any version that the daemon knows is accepted, and a selection lies in the text of that
    /// version.
    @Test func olderVersions_areAccepted() async {
        var harness = await harness("0")
        for number in 1...20 {
            let text = String(repeating: "x", count: number + 1)
            _ = await harness.ask(one, .write(save(id, text, on: version("A\(number)"))))
        }
        for number in [1, 7, 20, 21] {
            guard case .presenceSet? = await harness.ask(one, set(version("A\(number)"), (number, number))) else {
                Issue.record("version \(number)")
                continue
            }
            guard case .failed(.selection)? = await harness.ask(one, set(version("A\(number)"), (number, number + 1))) else {
                Issue.record("past the end of version \(number)")
                continue
            }
        }
        guard case .presenceSet? = await harness.ask(one, set(.nothing, (0, 0))) else {
            Issue.record("nothing shows nothing")
            return
        }
    }

    /// After a write of the same connection, the version that it created is known.
    @Test func presenceAfterWrite_waitsForCommit() async {
        var harness = await harness("a")
        let responses = await harness.ask([
            (one, .write(save(id, "ab", on: version("A1")))), (one, set(version("A2"), (2, 2), isQuiet: true)),
            (one, .listDependents),
        ])
        guard case .dependents(let all)? = responses.last else {
            Issue.record("\(responses)")
            return
        }
        #expect(all.first?.presence?.version == version("A2"))
    }

    /// Of several publications without a response, the last of a turn takes effect; later requests
    /// of the same connection see it.
    @Test func floodInOneTurn_isReducedToTheLast() async {
        var harness = await harness("0123456789")
        var requests: [(DependentID, Call)] = (0..<200).map { number in
            (one, set(version("A1"), (number % 7, 7), isQuiet: true))
        }
        requests.append((two, .get(GetNote(.id(id)))))
        requests.append((one, .listDependents))
        let responses = await harness.ask(requests)
        #expect(responses.count == 202)
        guard case .dependents(let all)? = responses.last else {
            Issue.record("no list")
            return
        }
        #expect(all.first?.presence?.selection?.start.utf8 == 199 % 7)
        let last = await harness.presenceLine(two) { $0.presence?.selection?.start.utf8 == 199 % 7 }
        #expect(last != nil)
        // A turn takes 64 requests of one connection.
        #expect((harness.presences[two]?.count ?? 0) <= 5)
    }

    @Test func invalidQuietPresence_isIgnored() async {
        var harness = await harness("a")
        let responses = await harness.ask([
            (one, set(version("A1"), (1, 1), isQuiet: true)), (one, set(version("A9"), isQuiet: true)), (one, .listDependents),
        ])
        guard case .dependents(let all)? = responses.last else {
            Issue.record("no list")
            return
        }
        #expect(all.first?.presence?.selection?.end.utf8 == 1)
    }
}
