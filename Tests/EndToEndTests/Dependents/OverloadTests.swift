import NoteText
import NotesClient
import NotesMethods
import NotesModel
import NotesWire
import TestKit
import Testing

extension EndToEnd {
    /// Tests that the daemon bounds the data buffered for all clients together, whatever each may
    /// buffer, and that clients which read are served.
    @Suite(.long) struct OverloadTests {
        private static func text(_ bytes: Int) -> [UInt8] {
            [UInt8](repeating: UInt8(ascii: "a"), count: bytes - 1) + [UInt8(ascii: "\n")]
        }

        /// Clients repeatedly connect, send 6 MB of notes and disconnect without reading a
        /// response: 180 MB in all.
        @Test func floodsOfDisconnectedClients_doNotAccumulate() async throws {
            try await DaemonProcess.run(config: "[limits]\nrequest_bytes_max = 4194304") { daemon in
                let bystander = try await daemon.client("bystander")
                let flood = (1...60).flatMap {
                    Call.write(.createNote(CreateNote(text: Self.text(100_000)))).line(id: .integer($0))
                }
                let base = try daemon.peakResidentBytes()
                for _ in 0..<30 {
                    let connection = try await RawConnection.registered(daemon.socket)
                    try await connection.send(flood)
                }
                while true {
                    do { _ = try await bystander.status() } catch ClientError.refused(.overloaded) { continue }
                    break
                }
                let grown = try daemon.peakResidentBytes() - base
                #expect(grown < 64 << 20, "\(grown >> 20) MiB, with a limit of 4 MiB of requests")
                await bystander.close()
            }
        }

        /// Forty clients stop in the middle of a line of 2 MB while the daemon may buffer 4 MB of
        /// such lines. Some are refused at once; when all continue, the buffered lines are carried
        /// out and the refused ones are not.
        @Test func stalledPartialLines_stayWithinBufferLimit() async throws {
            let config = "[limits]\nnote_bytes_max = 2500000\nline_bytes_max = 4194304\nbuffered_bytes_max = 8388608"
            try await DaemonProcess.run(config: config) { daemon in
                let bystander = try await daemon.client("bystander")
                let base = try daemon.residentBytes()
                let line = Call.write(.createNote(CreateNote(text: Self.text(2_100_000)))).line(id: .integer(1))
                var stopped: [RawConnection] = []
                for _ in 0..<40 {
                    let connection = try await RawConnection.registered(daemon.socket)
                    try await connection.send(Array(line.prefix(2_000_000)))
                    stopped.append(connection)
                    _ = try await bystander.create(text: bytes("a\n"))
                }
                let grown = try daemon.residentBytes() - base
                #expect(grown < 40 << 20, "\(grown >> 20) MiB, with a limit of 4 MiB of partial lines")
                var made = 0
                for connection in stopped {
                    try await connection.send(Array(line.dropFirst(2_000_000)))
                    try await connection.send(Call.status.line(id: .integer(2)))
                    switch try await connection.answer() {
                    case .result(.integer(1), _): made += 1
                    case .failure(nil, let error): #expect(error.kind == .overloaded && error.isRetryable)
                    case let other: Issue.record("\(other)")
                    }
                    guard case .result(.integer(2), _) = try await connection.answer() else {
                        throw RawConnection.Ended(what: "the request after the line got no response")
                    }
                }
                #expect(made == 2, "as many as fit in half of the limit")
                #expect(try await bystander.status().store.notes == 40 + made)
                await bystander.close()
            }
        }

        /// Sixteen clients request 512 MB and read nothing. Each may leave 8 MiB unread, all
        /// together 32 MiB. Others are served meanwhile, and when the clients read, each request
        /// was answered in order, with the note or as overloaded.
        @Test func unreadResponses_stayWithinLimit_andAllArrive() async throws {
            let config = "[limits]\nnote_bytes_max = 500000\nline_bytes_max = 1048576\nbuffered_bytes_max = 33554432"
            try await DaemonProcess.run(config: config) { daemon in
                let bystander = try await daemon.client("bystander")
                let note = noteID(1)
                _ = try await bystander.create(text: Self.text(500_000), id: note)
                _ = try await bystander.note(.id(note))
                let base = try daemon.residentBytes()
                var stopped: [RawConnection] = []
                for _ in 0..<16 {
                    let connection = try await RawConnection.registered(daemon.socket)
                    try await connection.send((1...64).flatMap { Call.get(GetNote(.id(note))).line(id: .integer($0)) })
                    stopped.append(connection)
                    // Accepted after the earlier requests, and so answered after them.
                    for _ in 0..<4 { _ = try await bystander.create(text: bytes("a\n")) }
                }
                let grown = try daemon.residentBytes() - base
                #expect(grown < 64 << 20, "\(grown >> 20) MiB, with a limit of 32 MiB of responses")
                var refused = 0
                for connection in stopped {
                    for number in 1...64 {
                        switch try await connection.answer() {
                        case .result(let id, _): #expect(id == .integer(Int64(number)))
                        case .failure(let id, let error):
                            #expect(id == .integer(Int64(number)) && error.kind == .overloaded && error.isRetryable)
                            refused += 1
                        case .notification: Issue.record("nobody watches")
                        }
                    }
                }
                #expect(refused > 0 && refused < 16 * 63, "\(refused) of 1,024 were refused")
                await bystander.close()
            }
        }
    }
}
