import Causality
import NoteText
import NotesMethods
import NotesModel
import NotesWire
import StrictJSON
import TestKit
import Testing
import TextMerge

@Suite struct ResultTests {
    private static let time = Timestamp(milliseconds: 1_700_000_000_123)

    private static func head(name noteName: NoteName? = name("work/inbox"), siblings: Version = version("A2", "B1")) -> Head {
        Head(
            id: noteID(1), name: noteName, version: siblings, vector: VersionVector([replica("B"): 1, replica("A"): 2]),
            title: "Inbox", tags: ["a", "todo"], created: time, modified: time, author: Author(user: "ada", label: nil),
            bytes: 12,
            isDeleted: false)
    }

    private static let id = noteID(1).description
    private static let a2b1 = "aaaaaaaaaaaaaaaa:2 bbbbbbbbbbbbbbbb:1"
    private static let meta = """
        "conflicts":[],"title":"Inbox","tags":["a","todo"],"created":"2023-11-14T22:13:20.123Z",\
        "modified":"2023-11-14T22:13:20.123Z","author":{"user":"ada","label":null},"bytes":12,"deleted":false
        """

    private func line(_ result: String) -> String { "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\(result)}\n" }

    private func written(_ result: some WireResult) -> String { string(result.line(id: .integer(1))) }

    // MARK: Byte for byte

    @Test func fullNote_isExact() {
        let note = NoteObject(Self.head(), body: .text(bytes("a\"\n")), siblings: version("A2", "B1"), conflicts: [])
        let expected = """
            {"note":{"id":"\(Self.id)","name":"work/inbox","version":"\(Self.a2b1)",\
            "siblings":["aaaaaaaaaaaaaaaa:2","bbbbbbbbbbbbbbbb:1"],"vector":{"aaaaaaaaaaaaaaaa":2,"bbbbbbbbbbbbbbbb":1},\
            \(Self.meta),"text":"a\\"\\n"}}
            """
        #expect(written(GetResult(note: note)) == line(expected))
    }

    @Test func noteWithoutTextOrWithEdits_isExact() {
        let head = Self.head(name: nil, siblings: version("A2"))
        let created = "{\"note\":{\"id\":\"\(Self.id)\",\"name\":null,\"version\":\"aaaaaaaaaaaaaaaa:2\",\(Self.meta)}"
        #expect(written(CreateResult(note: NoteObject(head, .utf8))) == line(created + "}"))
        let replay = CreateResult(note: NoteObject(head, .utf8), replay: .init(dot: dot("A1"), version: version("A1")))
        let replayed = ",\"dot\":\"aaaaaaaaaaaaaaaa:1\",\"version\":\"aaaaaaaaaaaaaaaa:1\",\"replayed\":true}"
        #expect(written(replay) == line(created + replayed))
        let edits = [PositionedEdit(start: 1, end: 2, text: bytes("x"))]
        let note = NoteObject(head, body: .edits(base: version("A1"), edits), conflicts: [])
        #expect(
            string(EncodedNote(note).json).hasSuffix(
                "\"deleted\":false,\"base\":\"aaaaaaaaaaaaaaaa:1\",\"edits\":[{\"start\":1,\"end\":2,\"text\":\"x\"}]}"))
    }

    @Test func outcomes_areExact() {
        let saved = OutcomeResult(outcome: .saved, dot: dot("A2"), version: version("A2"), note: nil)
        #expect(
            written(saved) == line("{\"outcome\":\"saved\",\"dot\":\"aaaaaaaaaaaaaaaa:2\",\"version\":\"aaaaaaaaaaaaaaaa:2\"}"))
        let shown = OutcomeResult.Merged(version: version("A2", "B1"), edits: [], text: bytes("t"), conflicts: [])
        let unchanged = OutcomeResult(outcome: .unchanged, dot: nil, version: version("A2"), note: shown, isReplayed: true)
        #expect(
            written(unchanged)
                == line(
                    """
                    {"outcome":"unchanged","version":"aaaaaaaaaaaaaaaa:2","note":{"version":"\(Self.a2b1)","edits":[],\
                    "conflicts":[],"text":"t"},"replayed":true}
                    """))
        let gone = OutcomeResult.Merged(version: version("B1"), edits: nil, text: [], conflicts: [], isDeleted: true)
        #expect(
            written(OutcomeResult(outcome: .unchanged, dot: nil, version: version("A2"), note: gone)).contains(
                #""conflicts":[],"text":"","deleted":true}}"#))
    }

    @Test func listsAndPageTokens_areExact() {
        let head = Self.head(siblings: version("A2"))
        let page = ListResult(notes: [], next: .byName(after: ListPosition(name: head.name, id: head.id)))
        #expect(written(page) == line("{\"notes\":[],\"next\":\"\(Self.id)/work/inbox\"}"))
        #expect(written(ListResult(notes: [], next: .newest(before: 40))) == line("{\"notes\":[],\"next\":\"40\"}"))
        #expect(written(ListResult(notes: [], next: nil)) == line("{\"notes\":[],\"next\":null}"))
        let revision = RevisionSummary(
            dot: dot("A2"), parents: version("A1"), author: ada, time: Self.time, bytes: 3, isDeleted: false, name: head.name,
            isStated: true, resolves: [ConflictID(high: 1, low: 2)],
            times: FileTimes(modified: Timestamp(milliseconds: -1), created: Timestamp(milliseconds: -1_000)))
        #expect(
            written(HistoryResult(revisions: [revision], next: dot("A2")))
                == line(
                    """
                    {"revisions":[{"dot":"aaaaaaaaaaaaaaaa:2","parents":["aaaaaaaaaaaaaaaa:1"],"version":"aaaaaaaaaaaaaaaa:2",\
                    "author":{"user":"ada","label":"laptop/vim"},"modified":"2023-11-14T22:13:20.123Z","bytes":3,"deleted":false,\
                    "name":"work/inbox","kind":"edited","resolves":["00000000000000010000000000000002"],\
                    "times":{"modified":"1969-12-31T23:59:59.999Z","created":"1969-12-31T23:59:59.000Z"}}],"next":"aaaaaaaaaaaaaaaa:2"}
                    """))
    }

    @Test func helloAndStatus_areExact() {
        let cursor = Cursor(CommitPosition(sequence: 42, replica: replica("A")))
        let hello = HelloResult(
            server: ClientInfo(name: "notesd", version: "0.1.0"), store: replica("C"), replica: replica("A"),
            dependent: DependentID(17), user: UserInfo(uid: 1_000, name: "ada"), access: .write, positionEncoding: .utf16,
            limits: WireLimits(), cursor: cursor)
        #expect(
            written(hello)
                == line(
                    """
                    {"protocol":1,"server":{"name":"notesd","version":"0.1.0"},"store":"cccccccccccccccc",\
                    "replica":"aaaaaaaaaaaaaaaa","dependent":17,"user":{"uid":1000,"name":"ada"},"access":"write",\
                    "positionEncoding":"utf-16","limits":{"maxLineBytes":33554432,"maxNoteBytes":4194304,"maxInFlight":256,\
                    "maxDepth":32,"maxResponseBytes":8388608},"capabilities":[],"cursor":"42.aaaaaaaaaaaaaaaa"}
                    """))
        let store = StoreStatistics(
            notes: 1, tombstones: 2, revisions: 3, commits: 4, lastCommit: nil, storeBytes: 5, walBytes: 6, conflicted: 8)
        let status = StatusResult(
            version: "0.1.0", identity: StoreIdentity(store: replica("C"), replica: replica("A")), startedAt: Self.time,
            store: store, dependents: 7, state: .readOnly)
        #expect(
            written(status)
                == line(
                    """
                    {"version":"0.1.0","store":"cccccccccccccccc","replica":"aaaaaaaaaaaaaaaa",\
                    "startedAt":"2023-11-14T22:13:20.123Z","notes":1,"tombstones":2,"revisions":3,"conflicted":8,"dependents":7,\
                    "commits":4,"lastCommitAt":null,"storeBytes":5,"walBytes":6,"state":"read_only"}
                    """))
        let one = DependentObject(
            dependent: DependentID(9), client: ClientInfo(name: "vim"), label: "mac", user: UserInfo(uid: 0, name: "root"),
            watches: 2,
            state: .lagging, outboxBytes: 320)
        #expect(
            written(DependentsResult(dependents: [one]))
                == line(
                    """
                    {"dependents":[{"dependent":9,"client":{"name":"vim"},"label":"mac","user":{"uid":0,"name":"root"},\
                    "watches":2,"state":"lagging","outboxBytes":320,"presence":null}]}
                    """))
        var there = one
        let place = PositionObject(version: version("A2"), selection: Selection(start: 3, end: 7))
        there.presence = DependentObject.Presence(note: noteID(1), place: place)
        #expect(
            written(DependentsResult(dependents: [there])).contains(
                "\"presence\":{\"note\":\"\(noteID(1))\",\"version\":\"aaaaaaaaaaaaaaaa:2\",\"selection\":{\"start\":3,\"end\":7}}"
            ))
        #expect(
            written(WatchResult(watch: 3, cursor: cursor, isReset: true))
                == line("{\"watch\":3,\"cursor\":\"42.aaaaaaaaaaaaaaaa\",\"reset\":true}"))
        #expect(written(EmptyResult()) == line("{}"))
    }

    // MARK: Both ways

    private func expectReadAsWritten<Result: WireResult>(_ result: Result, _ seed: UInt64) {
        var line = result.line(id: .string("x"))
        line.removeLast()
        do {
            guard case .result(.string("x"), let value) = try ServerLine(parsing: line) else {
                Issue.record("seed \(seed): no answer: \(string(line))")
                return
            }
            #expect(try Result(reading: value) == result, "seed \(seed): \(string(line))")
        } catch {
            Issue.record("seed \(seed): \(error) in \(string(line))")
        }
    }

    @Test(arguments: seeds(60))
    func result_roundTrips(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        expectReadAsWritten(random.hello(), seed)
        let replay = CreateResult.Replay(dot: random.anyDot(), version: random.anyVersion())
        expectReadAsWritten(CreateResult(note: random.note(), replay: random.maybe(replay)), seed)
        expectReadAsWritten(GetResult(note: random.note()), seed)
        let notes = (0..<random.below(4)).map { _ in random.note() }
        expectReadAsWritten(ListResult(notes: notes, next: random.maybe(random.anyListPlace(mayBeStart: false))), seed)
        let tags = (0..<random.below(4)).map { _ in TagCount(tag: random.label(), notes: random.below(9)) }
        expectReadAsWritten(TagsResult(TagPage(tags: tags, next: random.maybe(random.label()))), seed)
        expectReadAsWritten(random.outcome(), seed)
        expectReadAsWritten(random.search(), seed)
        expectReadAsWritten(random.history(), seed)
        expectReadAsWritten(random.revisions(), seed)
        expectReadAsWritten(random.knownRevisions(), seed)
        expectReadAsWritten(WatchRevisionsResult(watch: 2, lacks: random.below(9)), seed)
        expectReadAsWritten(random.adopted(), seed)
        expectReadAsWritten(random.peers(), seed)
        expectReadAsWritten(random.heldPage(), seed)
        expectReadAsWritten(random.limitResult(), seed)
        expectReadAsWritten(DropResult(dropped: random.below(9)), seed)
        expectReadAsWritten(WatchResult(watch: 3, cursor: random.anyCursor(), isReset: random.chance(0.5)), seed)
        expectReadAsWritten(random.dependents(), seed)
        expectReadAsWritten(random.status(), seed)
        expectReadAsWritten(random.audit(), seed)
        expectReadAsWritten(random.backup(), seed)
        expectReadAsWritten(random.config(), seed)
        expectReadAsWritten(random.metrics(), seed)
        expectReadAsWritten(EmptyResult(), seed)
    }

    @Test func unknownResultMembers_areIgnored() throws {
        let line = bytes(
            #"{"later":1,"jsonrpc":"2.0","id":3,"result":{"watch":1,"more":[{}],"cursor":"0.aaaaaaaaaaaaaaaa","reset":false}}"#)
        guard case .result(.integer(3), let value) = try ServerLine(parsing: line) else {
            Issue.record("no answer")
            return
        }
        let start = Cursor(CommitPosition(sequence: 0, replica: replica("A")))
        #expect(try WatchResult(reading: value) == WatchResult(watch: 1, cursor: start, isReset: false))
    }

    @Test func malformedResult_reportsItsPath() throws {
        let document = try JSONDocument(parsing: bytes(#"{"notes":[{"id":"x"}],"next":null}"#), depthMax: 9)
        #expect(throws: ParamFault.self) { try ListResult(reading: document.root) }
        do {
            _ = try ListResult(reading: document.root)
        } catch {
            #expect(error.path == "notes[0].id")
        }
    }
}
