import Causality
import Glibc
import NoteText
import NotesClient
import NotesMethods
import NotesModel
import NotesWire
import TestKit
import Testing

extension EndToEnd {
    /// Tests of presence over real connections.
    @Suite struct PresenceTests {
        private static let note = noteID(1)

        private static func place(_ version: Version, _ start: Int, _ end: Int) -> SetPresence.Position {
            SetPresence.Position(note: note, version: version, selection: Selection(start: start, end: end))
        }

        /// The next presence line of a watch.
        private static func presence(_ watch: inout NoteWatch.Iterator) async throws -> PresenceChanged {
            while let event = try await watch.next() {
                if case .presence(let presence) = event { return presence }
            }
            throw RawConnection.Ended(what: "the watch ended")
        }

        /// One client counts in UTF-16, the other in bytes. The daemon is killed, both reconnect,
        /// and a presence that is set again is sent again.
        @Test func presence_usesReceiverOffsets_andReportsDeparture() async throws {
            try await DaemonProcess.run { daemon in
                // A request sent before the client notices that the daemon is gone is sent again.
                let ada = try await daemon.client("ada/vim", encodings: [.utf16]) {
                    $0.reconnecting = Backoff()
                    $0.resending = .whatMayBeRepeated
                }
                let bob = try await daemon.client("bob/emacs") {
                    $0.reconnecting = Backoff()
                    $0.resending = .whatMayBeRepeated
                }
                let capabilities = try #require(await bob.hello?.capabilities)
                #expect(capabilities.contains("presence"))
                let version = try await ada.create(text: bytes("é𝄞 note\n"), name: "work/a", id: Self.note).note.head.version
                var watch = try await bob.watch(WatchNotes(filter: Filter(prefix: "work/"), snapshot: false)).makeAsyncIterator()

                try await ada.setPresence(Self.place(version, 1, 3))
                let here = try await Self.presence(&watch)
                #expect(here.note == Self.note && here.label == "ada/vim" && here.place?.version == version)
                #expect(here.place?.selection == Selection(start: 2, end: 6))
                let listed = try await bob.dependents().first { $0.label == "ada/vim" }
                #expect(listed?.presence?.place == here.place)
                let wrong = await #expect(throws: ClientError.self) { try await ada.setPresence(Self.place(version, 2, 3)) }
                guard case .refused(let refusal)? = wrong else { throw RawConnection.Ended(what: "not refused") }
                #expect(refusal.kind == .invalidParams && refusal.path == "params.selection")

                let carl = try await daemon.client("carl/ed")
                try await carl.setPresence(SetPresence.Position(note: Self.note))
                let open = try await Self.presence(&watch)
                #expect(open.label == "carl/ed" && open.place == PositionObject(version: .nothing, selection: nil))
                await carl.close()
                let gone = try await Self.presence(&watch)
                #expect(gone.label == "carl/ed" && gone.dependent == open.dependent && gone.place == nil)

                try await daemon.restart(after: SIGKILL)
                let nobody = try await bob.dependents().allSatisfy { $0.presence == nil }
                #expect(nobody, "it is never stored")
                try await ada.setPresence(Self.place(version, 0, 0))
                let again = try await Self.presence(&watch)
                #expect(again.place?.selection == Selection(start: 0, end: 0))
                await ada.close()
                await bob.close()
            }
        }

        /// One client floods the daemon with its presence while another stops reading. A third
        /// still writes and receives the last presence, and so does the stopped client once it
        /// reads again.
        @Test func presenceFlood_delaysNoOther_andEndsWithTheLast() async throws {
            try await DaemonProcess.run { daemon in
                let writer = try await daemon.client("writer")
                let text = [UInt8](repeating: UInt8(ascii: "x"), count: 50_000)
                var version = try await writer.create(text: text, id: Self.note).note.head.version
                let first = version
                let stuck = try await WatchingConnection(daemon, WatchNotes(snapshot: false))
                var watch = try await writer.watch(WatchNotes(snapshot: false)).makeAsyncIterator()
                let flood = try await RawConnection.registered(daemon.socket)
                let last = Self.place(first, 49_999, 50_000)
                async let flooding: Void = {
                    for round in 0..<100 {
                        let lines = (0..<500).map { number in
                            let place = Self.place(first, (round * 500 + number) % 49_000, 49_500)
                            return Call.setPresence(SetPresence(place)).line(id: nil)
                        }
                        try await flood.send(Array(lines.joined()))
                    }
                    try await flood.send(Call.setPresence(SetPresence(last)).line(id: nil))
                }()
                for number in 0..<100 {
                    let edits = [PositionedEdit(start: 0, end: 0, text: bytes("\(number)\n"))]
                    version = try await writer.edit(Self.note, base: version, edits: edits).version
                }
                try await flooding
                var told = 0
                repeat { told += 1 } while try await Self.presence(&watch).place?.selection != last.selection
                #expect(told < 50_000)
                var said: ServerNotification
                repeat { said = try await stuck.notification() } while Self.selection(said) != last.selection
                #expect(daemon.isRunning)
                await writer.close()
            }
        }

        private static func selection(_ notification: ServerNotification) -> Selection? {
            if case .presence(let presence) = notification { presence.place?.selection } else { nil }
        }

        /// Clients connect, move, write, rename and leave at random. In the end each watcher knows
        /// the presence in the notes it covers exactly as the daemon lists it, in the order of the
        /// last change.
        @Test(arguments: newSeeds(4)) func randomEvents_endWithMatchingPresence(seed: UInt64) async throws {
            try await DaemonProcess.run { daemon in
                var random = SeededGenerator(seed: seed)
                let owner = try await daemon.client("owner")
                var versions: [Version] = []
                for number in 0..<5 {
                    let name = ByteString(number == 0 ? "work/marker" : "work/\(number)")
                    versions.append(
                        try await owner.create(text: bytes("0\n"), name: name, id: noteID(UInt64(number + 1))).note.head.version)
                }
                let filters = [Filter(), Filter(prefix: "work/"), Filter(ids: [noteID(1), noteID(2), noteID(3)])]
                var observers: [Task<[NoteID: [DependentID: PositionObject]], any Error>] = []
                for filter in filters {
                    let client = try await daemon.client("observer") { $0.reconnecting = Backoff() }
                    let watch = try await client.watch(WatchNotes(filter: filter, echo: false))
                    observers.append(Task { try await Self.view(of: watch, on: client) })
                }
                var people: [NotesClient] = []
                for step in 0..<300 {
                    let number = 1 + random.below(4)
                    let note = noteID(UInt64(number + 1))
                    switch random.below(10) {
                    case 0: people.append(try await daemon.client(ByteString("p\(step)")))
                    case 1 where people.count > 2: await people.remove(at: random.below(people.count)).close()
                    case 2:
                        let name: NameRequest = .set(ByteString("\(random.pick(["work", "home"]))/\(number)"))
                        versions[number] = try await owner.save(SaveNote(id: note, base: versions[number], name: name)).version
                    case 3:
                        let edits = [PositionedEdit(start: 0, end: 0, text: bytes("\(step)\n"))]
                        versions[number] = try await owner.edit(note, base: versions[number], edits: edits).version
                    default:
                        guard !people.isEmpty else { continue }
                        let selection = Selection(start: 0, end: random.below(3))
                        let place = SetPresence.Position(note: note, version: versions[number], selection: selection)
                        try await random.pick(people).setPresence(random.chance(0.1) ? nil : place)
                    }
                }
                // The daemon has handled a closed connection once it no longer lists it.
                while try await owner.dependents().count != people.count + filters.count + 1 {}
                let marker = try await daemon.client("marker")
                try await marker.setPresence(SetPresence.Position(note: noteID(1)))
                let listed = try await owner.dependents()
                for (filter, observer) in zip(filters, observers) {
                    let covered = Set(try await owner.listAll(filter).map(\.head.id))
                    var expected: [NoteID: [DependentID: PositionObject]] = [:]
                    for one in listed {
                        guard let presence = one.presence, covered.contains(presence.note) else { continue }
                        expected[presence.note, default: [:]][one.dependent] = presence.place
                    }
                    let view = try await observer.value
                    #expect(view.filter { covered.contains($0.key) } == expected, "seed \(seed): \(filter)")
                }
                for client in people + [owner, marker] { await client.close() }
            }
        }

        /// The presence that a client following the protocol holds when the marker arrives.
        private static func view(
            of watch: NoteWatch, on client: NotesClient
        ) async throws -> [NoteID: [DependentID: PositionObject]] {
            var view: [NoteID: [DependentID: PositionObject]] = [:]
            for try await event in watch {
                switch event {
                case .presence(let presence):
                    view[presence.note, default: [:]][presence.dependent] = presence.place
                    if view[presence.note]?.isEmpty == true { view[presence.note] = nil }
                    guard presence.label != "marker" else {
                        await client.close()
                        return view
                    }
                case .changed(let change) where [.left, .deleted].contains(change.change): view[change.note.id] = nil
                case .reset, .interrupted: view = [:]
                case .changed, .started, .synced, .bookmark: break
                }
            }
            throw RawConnection.Ended(what: "the watch ended")
        }
    }
}
