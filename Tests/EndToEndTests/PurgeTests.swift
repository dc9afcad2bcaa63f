import Foundation
import Glibc
import NotesClient
import NotesModel
import NotesWire
import TestKit
import Testing

extension EndToEnd {
    @Suite struct PurgeTests {
        /// The daemon is killed right after it has answered the purge; the next one completes the scrub.
        @Test func killAfterPurge_leavesNothingOnceScrubbed() async throws {
            try await DaemonProcess.run { daemon in
                for round in 0..<seeds(4).count {
                    let secret = "hunter2-round-\(round)"
                    let client = try await daemon.client("writer")
                    let made = try await client.create(text: bytes("kept\n\(secret)\n"), name: ByteString("n/\(round)"))
                    let query = try SearchQuery(parsing: ByteString("kept"))
                    _ = try await client.search(SearchParams(query: query))
                    let saved = try await client.save(made.note.head.id, base: made.note.head.version, text: bytes("kept\n"))
                    let purged = try await client.purge(PurgeParams(id: made.note.head.id, base: saved.version))
                    #expect(purged.beyond == [.copies, .exports, .drafts, .operationLogs])
                    try await daemon.restart(after: SIGKILL)
                    await client.close()
                    let judge = try await daemon.client("judge")
                    while try await !judge.status().store.isScrubbed {}
                    #expect(try Self.files(of: daemon.data, having: secret) == [], "round \(round)")
                    #expect(try await judge.note(.id(made.note.head.id)).text == bytes("kept\n"))
                    #expect(try await judge.audit().isOK)
                    await judge.close()
                }
            }
        }

        private static func files(of directory: String, having secret: String) throws -> [String] {
            try FileManager.default.subpathsOfDirectory(atPath: directory).filter { path in
                FileManager.default.contents(atPath: directory + "/" + path)?.range(of: Data(secret.utf8)) != nil
            }
        }
    }
}
