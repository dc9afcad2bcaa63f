import Foundation
import NoteText
import NotesClient
import NotesModel
import NotesWire
import TestKit
import Testing

extension EndToEnd {
    /// An agent's writes are taken back from notes that a person wrote in too.
    @Suite struct SharedSessionTests {
        /// Sessions in one store.
        private static let sessions = 100

        @Test(arguments: seeds(2))
        func takenBackAgent_leavesWhatThePersonWrote(seed: UInt64) async throws {
            try await DaemonProcess.run { daemon in
                let scene = FileScene(daemon: daemon)
                let (person, agent) = (try await daemon.client("box/nvim/1"), try await daemon.client("box/mcp/codex"))
                var sessions: [SharedSession] = []
                for number in 0..<Self.sessions {
                    var session = try await SharedSession(person, agent, seed: seed &* 1_000_003 &+ UInt64(number))
                    for _ in 0..<(4 + session.random.below(16)) { try await session.step() }
                    sessions.append(session)
                }
                let undone = try await scene.notesctl("op", "undo", "--by", "box/mcp")
                #expect(undone.end == .exited(0) || undone.end == .exited(2), "\(undone.errors)")
                var inConflict = 0
                for (number, session) in sessions.enumerated() {
                    inConflict += try await check(session, person, "session \(number) of seed \(seed)") ? 1 : 0
                }
                #expect(inConflict < Self.sessions * 2 / 3)
                // The agent's writes are all undone, and so are those that its undos had undone.
                let rest = try await scene.notesctl("op", "undo", "--by", "box/mcp", "--dry-run")
                #expect(rest.errors.contains("nothing of what box/mcp wrote is left to undo"), "\(rest.text)\(rest.errors)")
                let audit = try await person.audit()
                #expect(audit.report.findings.isEmpty)
            }
        }

        /// The bytes of a text outside of some ranges.
        private static func outside(_ ranges: [Range<Int>], _ text: [UInt8]) -> [UInt8] {
            text.indices.filter { index in !ranges.contains { $0.contains(index) } }.map { text[$0] }
        }

        /// - Returns: whether the note is in conflict.
        private func check(_ session: SharedSession, _ person: any NotesAPI, _ place: String) async throws -> Bool {
            let note = try await person.note(.id(session.id))
            let (words, name) = session.expected
            if session.isByAgent, note.head.isDeleted {
                #expect(words.isEmpty, "\(place)")
                return false
            }
            #expect(!note.head.isDeleted, "\(place)")
            let shown = SharedSession.names(note.text ?? [])
            #expect(Set(shown).count == shown.count, "\(place): \(shown)")
            #expect(Set(shown.filter { $0.hasPrefix("p") }).isSuperset(of: words), "\(place): \(shown), \(words)")
            guard note.conflicts.isEmpty else {
                let outside = Self.outside(note.conflicts.compactMap(\.range), note.text ?? [])
                #expect(!SharedSession.names(outside).contains { $0.hasPrefix("A") }, "\(place): \(shown)")
                return true
            }
            #expect(Set(shown) == words, "\(place)")
            if let name { #expect(note.head.name?.description == name, "\(place)") }
            return false
        }
    }
}
