import Foundation
import Glibc
import NoteText
import NotesClient
import NotesModel
import NotesWire
import TestKit
import Testing

extension EndToEnd {
    @Suite struct SearchTests {
        private static func search(_ client: NotesClient, _ query: String, limit: Int = 100) async throws -> SearchResult {
            try await client.search(SearchNotes(query: try SearchQuery(parsing: ByteString(query)), limit: limit))
        }

        /// A client writes and searches for each new word immediately, while the daemon is killed
        /// at random moments of writing and indexing.
        @Test func repeatedKills_keepAcknowledgedWritesSearchable() async throws {
            var random = SeededGenerator(seed: seeds(1)[0])
            try await DaemonProcess.run { daemon in
                var count = 0
                for crash in 0..<seeds(5).count {
                    let client = try await daemon.client("writer")
                    for _ in 0..<1 + random.below(40) {
                        count += 1
                        _ = try await client.create(
                            text: bytes("all have this, word\(count) alone\n"), name: ByteString("n/\(count)"))
                        guard random.chance(0.5) else { continue }
                        let found = try await Self.search(client, "word\(count)")
                        #expect(found.hits.map(\.note.head.name?.description) == ["n/\(count)"], "crash \(crash)")
                    }
                    await client.close()
                    try await daemon.restart(after: SIGKILL)
                    let judge = try await daemon.client("judge")
                    for number in [1, count, 1 + random.below(count)] {
                        #expect(try await Self.search(judge, "word\(number)").hits.count == 1, "crash \(crash): \(number)")
                    }
                    #expect(try await judge.audit().isOK, "crash \(crash)")
                    await judge.close()
                }
            }
        }

        @Test func ranges_useEncodingOfTheSession() async throws {
            try await DaemonProcess.run { daemon in
                for (encoding, expected) in [
                    ("utf-8", [8..<13, 14..<18]), ("utf-16", [5..<9, 10..<14]), ("utf-32", [4..<8, 9..<13]),
                ] {
                    let connection = try RawConnection(daemon.socket)
                    _ = try await connection.call(
                        #"{"jsonrpc":"2.0","id":1,"method":"session.hello","params":{"protocol":[1],"client":{"name":"t"},"positionEncoding":["\#(encoding)"]}}"#
                    )
                    _ = try await connection.call(
                        #"{"jsonrpc":"2.0","id":2,"method":"note.create","params":{"text":"é 😀 wörd milk, tea\r\n","id":"01890a5d-ac96-774b-bcce-b302099a8057"}}"#
                    )
                    guard
                        case .result(_, let value) = try await connection.call(
                            #"{"jsonrpc":"2.0","id":3,"method":"note.search","params":{"query":"word milk"}}"#)
                    else {
                        Issue.record("\(encoding): refused")
                        continue
                    }
                    let hit = try #require(try SearchResult(reading: value).hits.first)
                    #expect(hit.snippet == bytes("é 😀 wörd milk, tea\r\n"))
                    #expect(hit.ranges == expected, "\(encoding)")
                    await connection.hangUp()
                }
            }
        }

        /// Searches while writers work at full speed. Each finds everything acknowledged before it,
        /// or reports that the index is behind.
        @Test func searchDuringWriteFlood_findsAcknowledgedWrites() async throws {
            try await DaemonProcess.run { daemon in
                let first = try await daemon.client("first")
                _ = try await first.create(text: bytes("needle one\n"), name: "needle")
                let isOver = Flag()
                let searches = seeds(40).count
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for writer in 0..<4 {
                        group.addTask {
                            let client = try await daemon.client(ByteString("writer \(writer)"))
                            var number = 0
                            while !isOver.isSet {
                                number += 1
                                _ = try await client.create(
                                    text: bytes("hay \(number) of writer\(writer)\n"), name: ByteString("\(writer)/\(number)"))
                            }
                            await client.close()
                        }
                    }
                    defer { isOver.set() }
                    for number in 1...searches {
                        let text = bytes("needle\(number) and needle\n")
                        let made = try await first.create(text: text, name: ByteString("needle/\(number)"))
                        do {
                            let found = try await Self.search(first, "needle\(number)")
                            #expect(found.hits.map(\.note.head.id) == [made.note.head.id], "search \(number)")
                            #expect(try await Self.search(first, "needle -hay").hits.count == min(100, 1 + number))
                        } catch ClientError.refused(let error) where error.kind == .overloaded && error.isRetryable {}
                    }
                    isOver.set()
                    try await group.waitForAll()
                }
                #expect(try await first.audit().isOK)
                await first.close()
            }
        }

        /// A tag that only nested tags have finds nothing, and the way to find those is named.
        @Test func nestedTags_areNamedIfNothingIsFound() async throws {
            try await DaemonProcess.run { daemon in
                for (name, tag) in [("a", "journal/2026"), ("b", "Journal/2026"), ("c", "journal/old"), ("d", "journaling")] {
                    _ = try await daemon.notesctl("new", name, input: "#\(tag)\n")
                }
                let hint =
                    "notesctl: no note has #journal; nested: #journal/2026 (2), #journal/old (1); "
                    + "`notesctl search 'tag:journal/*'` finds them\n"
                for words in [["list", "--tag", "#Journal"], ["search", "tag:journal"], ["search", "x tag:journal"]] {
                    let run = try await daemon.notesctl(words)
                    #expect(run.output.isEmpty && run.errors == hint, "\(words): \(run.errors)")
                }
                #expect(try await daemon.notesctl("search", "tag:journal/*", "--format", "{note.name}").lines.count == 3)
                for words in [
                    ["list", "--tag", "journal", "--json"], ["list", "--tag", "other"], ["search", "x tag:journaling"],
                ] {
                    let run = try await daemon.notesctl(words)
                    #expect(run.output.isEmpty && run.errors.isEmpty, "\(words): \(run.errors)")
                }
            }
        }

        @Test func notesctlSearch_printsHits_andOpensThem() async throws {
            try await DaemonProcess.run { daemon in
                _ = try await daemon.notesctl("new", "shopping", input: "# List\nOat milk\tand bread\n")
                _ = try await daemon.notesctl("new", "work/inbox", input: "milk for the meeting #todo\n")
                let found = try await daemon.notesctl("search", "milk", "-bread")
                #expect(found.end == .exited(64), "an option of that letter is none: \(found.errors)")
                let both = try await daemon.notesctl("search", "milk")
                #expect(both.end == .exited(0) && both.lines.count == 4, "\(both.text)")
                #expect(both.text.contains("work/inbox\n    milk for the meeting #todo\n"), "\(both.text)")
                #expect(both.text.contains("    # List Oat milk and bread\n"), "\(both.text)")
                let one = try await daemon.notesctl("search", "--json", "milk -bread")
                #expect(one.lines.count == 1 && one.text.contains(#""ranges":[{"start":0,"end":4}]"#), "\(one.text)")
                let none = try await daemon.notesctl("search", "nothing here")
                #expect(none.end == .exited(1) && none.output.isEmpty && none.errors.isEmpty, "\(none.errors)")
                let bad = try await daemon.notesctl("search", "milk \"oat")
                #expect(bad.end == .exited(64) && bad.errors.contains("byte 5"), "\(bad.errors)")
                let symbol = try await daemon.notesctl("search", "milk &")
                #expect(symbol.end == .exited(64) && symbol.errors.contains("byte 5"), "\(symbol.errors)")
                let several = try await daemon.notesctl("search", "-e", "milk")
                #expect(several.end == .exited(64) && several.errors.contains("--first"), "\(several.errors)")
                let edited = try await daemon.notesctl(
                    ["search", "-e", "tag:todo"], environment: ["EDITOR": "sed -i s/meeting/lunch/"])
                #expect(edited.end == .exited(0), "\(edited.errors)")
                #expect(try await daemon.notesctl("search", "lunch").lines.count == 2)
            }
        }
    }
}
