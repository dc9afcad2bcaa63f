import NoteText
import NotesClient
import NotesModel
import NotesWire
import TestKit
import Testing

extension EndToEnd {
    /// Tests of bytes that arrive too slowly, too fast, without end, or not at all.
    @Suite struct HostileFramingTests {
        private static let smallLines = "[limits]\nline_bytes_max = 1048576\nnote_bytes_max = 262144\n"
        private static let ping = #"{"jsonrpc":"2.0","id":"ping","method":"session.ping"}"#

        @Test func endlessLine_isReportedOnce_andTheThirdCloses() async throws {
            try await Bystander.watches(config: Self.smallLines) { daemon in
                let connection = try await RawConnection.registered(daemon.socket)
                let flood = [UInt8](repeating: UInt8(ascii: "x"), count: 24 << 20)
                for number in 1...3 {
                    // A connection that is being closed may not accept all of it.
                    do { try await connection.send(flood) } catch { #expect(number == 3) }
                    let refusal = try await connection.answer().refusal
                    #expect(refusal?.error.kind == .lineTooLong)
                    #expect(refusal?.error.details.contains { if case .limit(1_048_576) = $0 { true } else { false } } == true)
                    #expect(refusal?.id == nil)
                    guard number < 3 else { break }
                    try await connection.send("\n")
                    #expect(try await connection.call(Self.ping).result != nil, "the line was skipped, the next is answered")
                }
                try await connection.drain()
            }
        }

        @Test func beforeHello_lineMayHave64KiB() async throws {
            try await Bystander.watches { daemon in
                let connection = try RawConnection(daemon.socket)
                try await connection.send(String(repeating: " ", count: 65_537 - Self.ping.utf8.count) + Self.ping + "\n")
                #expect(try await connection.answer().refusal?.error.kind == .lineTooLong)
                let longest = String(repeating: " ", count: 65_536 - Self.ping.utf8.count) + Self.ping
                #expect(try await connection.call(longest).result != nil)
            }
        }

        @Test func withoutHello_connectionIsClosed() async throws {
            try await Bystander.watches(config: "[limits]\nhello_seconds_max = 5\n") { daemon in
                let silent = try RawConnection(daemon.socket)
                let half = try RawConnection(daemon.socket)
                try await half.send(String(RawConnection.helloLine.prefix(30)))
                let talking = try RawConnection(daemon.socket)
                #expect(try await talking.call(Self.ping).result != nil)
                let registered = try await RawConnection.registered(daemon.socket)
                for connection in [silent, half, talking] { try await connection.drain() }
                #expect(try await registered.call(Self.ping).result != nil, "a registered connection stays")
            }
        }

        @Test func linesSentByteByByte_areAnswered() async throws {
            try await Bystander.watches { daemon in
                let connection = try RawConnection(daemon.socket)
                let text = "\u{1F642} é 漢\n"
                let create = request(1, "note.create", Array(#"{"name":"slow","text":\#(quoted(bytes(text)))}"#.utf8))
                let get = request(2, "note.get", Array(#"{"name":"slow"}"#.utf8))
                for byte in bytes(RawConnection.helloLine) + create + bytes("\r\n\n  \n") + get + bytes("\n") {
                    try await connection.send([byte])
                }
                for _ in 0..<2 { #expect(try await connection.answer().result != nil) }
                let value = try #require(try await connection.answer().result)
                #expect(try GetResult(reading: value).note.text == bytes(text))
            }
        }

        @Test func manyLinesInOneWrite_areAnsweredInOrder() async throws {
            try await Bystander.watches { daemon in
                let connection = try RawConnection(daemon.socket)
                let count = 5_000
                var lines = bytes(RawConnection.helloLine)
                for number in 0..<count {
                    switch number % 5 {
                    case 0: lines += request(number, "note.create", bytes(#"{"text":"\#(number)\n","name":"many/\#(number)"}"#))
                    case 1: lines += request(number, "note.get", bytes(#"{"name":"many/\#(number - 1)"}"#))
                    case 2: lines += request(number, "note.list", bytes(#"{"limt":1}"#))
                    default: lines += request(number, "session.ping", bytes("{}"))
                    }
                    lines += bytes("\n")
                }
                try await connection.send(lines)
                #expect(try await connection.answer().result != nil, "hello")
                for number in 0..<count {
                    let id = RequestID.integer(Int64(number))
                    switch (try await connection.answer(), number % 5) {
                    case (.result(id, let value), 1):
                        let text = try GetResult(reading: value).note.text
                        try #require(text == bytes("\(number - 1)\n"), "a read sees the write before it")
                    case (.result(id, _), 0), (.result(id, _), 3...): break
                    case (.failure(id, let error), 2): try #require(error.path == "params.limt")
                    case (let answer, _): throw RawConnection.Ended(what: "in place of the answer to \(number): \(answer)")
                    }
                }
            }
        }

        @Test func partialLineBeforeDisconnect_changesNothing() async throws {
            try await Bystander.watches { daemon in
                let line = request(1, "note.create", bytes(#"{"name":"half","text":"a\n"}"#))
                for length in [1, line.count / 2, line.count] {
                    let connection = try await RawConnection.registered(daemon.socket)
                    try await connection.send(Array(line.prefix(length)))
                    await connection.hangUp()
                    try await connection.drain()
                }
                let client = try await daemon.client("judge")
                #expect(try await client.list(ListNotes(filter: Filter(prefix: "half"))).notes.isEmpty)
                await client.close()
            }
        }

        /// A request whose client hangs up directly after the line is still carried out.
        @Test func lineBeforeDisconnect_isExecuted() async throws {
            try await Bystander.watches { daemon in
                let connection = try await RawConnection.registered(daemon.socket)
                try await connection.send(request(1, "note.create", bytes(#"{"name":"whole","text":"a\n"}"#)) + bytes("\n"))
                await connection.hangUp()
                #expect(try await connection.answer().result != nil)
                try await connection.drain()
                let client = try await daemon.client("judge")
                #expect(try await client.note(.name("whole")).text == bytes("a\n"))
                await client.close()
            }
        }
    }
}
