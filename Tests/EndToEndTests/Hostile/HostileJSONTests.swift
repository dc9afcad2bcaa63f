import NoteText
import NotesModel
import NotesWire
import StrictJSON
import TestKit
import Testing

extension EndToEnd {
    /// Tests with third-party collections of unusual lines.
    @Suite struct HostileJSONTests {
        /// Texts that RFC 8259 allows but the protocol refuses: a member appears twice in one
        /// object.
        private static let stricterHere: Set<String> = ["y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json"]

        /// An object with an `id`, so that a response can refer to it.
        private static let withAnID = "y_object_long_strings.json"

        /// Sends every case of the suite as a line. None is a request, so each must get the right
        /// error.
        @Test func everyCaseOfTheSuite_asALine_getsItsError() async throws {
            let suite = try ForeignTexts.jsonSuite()
            #expect(suite.count == 318)
            try await Bystander.watches { daemon in
                let connection = try await RawConnection.registered(daemon.socket)
                for (name, text) in suite.map({ ($0.name, $0.bytes) }) {
                    try await connection.send(
                        text + Array("\n{\"jsonrpc\":\"2.0\",\"id\":\"fence\",\"method\":\"session.ping\"}\n".utf8))
                    let pieces = text.split(separator: UInt8(ascii: "\n")).filter { !$0.allSatisfy(Self.blank.contains) }
                    for _ in pieces {
                        let refusal = try await connection.answer().refusal
                        #expect(refusal?.id == nil || name == Self.withAnID, "\(name)")
                        // A text with line feeds is several lines, some of which may be JSON.
                        guard pieces.count == 1 else { continue }
                        Self.expect(refusal?.error, of: name)
                    }
                    #expect(try await connection.answer().result != nil, "\(name): one answer a line that is not blank")
                }
            }
        }

        private static let blank: Set<UInt8> = [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r")]

        private static func expect(_ error: WireError?, of name: String) {
            let kinds: Set<ErrorKind> =
                switch name.prefix(2) {
                case "n_": [.parseError]
                case "y_": [stricterHere.contains(name) ? .parseError : .invalidRequest]
                default: [.parseError, .invalidRequest]
                }
            #expect(error.map { kinds.contains($0.kind) } == true, "\(name): \(String(describing: error))")
        }

        /// Sends each case as the params of a request.
        @Test func everyCaseOfTheSuite_asParams_getsItsError() async throws {
            try await Bystander.watches { daemon in
                let connection = try await RawConnection.registered(daemon.socket)
                for (number, (name, text)) in try ForeignTexts.jsonSuite().map({ ($0.name, $0.bytes) }).enumerated()
                where !text.contains(UInt8(ascii: "\n")) {
                    try await connection.send(request(number, "note.create", text) + [UInt8(ascii: "\n")])
                    let refusal = try #require(try await connection.answer().refusal, "\(name)")
                    if name.hasPrefix("n_") || Self.stricterHere.contains(name) {
                        #expect(refusal.id == nil && refusal.error.kind == .parseError, "\(name)")
                    } else if name.hasPrefix("y_") {
                        #expect(refusal.id == .integer(Int64(number)), "\(name)")
                        #expect(refusal.error.kind == .invalidParams && refusal.error.path != nil, "\(name)")
                    }
                }
            }
        }

        @Test func deepBrackets_areOneError() async throws {
            try await Bystander.watches { daemon in
                let connection = try await RawConnection.registered(daemon.socket)
                let brackets = [UInt8](repeating: UInt8(ascii: "["), count: 100_000)
                let closed = brackets + [UInt8](repeating: UInt8(ascii: "]"), count: 100_000)
                let objects = Array(String(repeating: #"{"a":"#, count: 100_000).utf8)
                for text in [brackets, closed, objects, request(1, "note.create", closed), request(1, "note.create", objects)] {
                    try await connection.send(text + [UInt8(ascii: "\n")])
                    let refusal = try await connection.answer().refusal
                    #expect(refusal?.error.kind == .parseError)
                    #expect(refusal?.id == nil)
                }
            }
        }

        /// Saves each line of the stress test as a note's text: it must be stored whole, or refused
        /// with the offset of the first wrong byte.
        @Test func utf8StressTest_isStoredExactlyOrRefused() async throws {
            try await Bystander.watches { daemon in
                let connection = try await RawConnection.registered(daemon.socket)
                let whole = try ForeignTexts.utf8StressTest()
                var refused = 0
                for (number, line) in ([whole] + whole.split(separator: UInt8(ascii: "\n")).map { Array($0) }).enumerated() {
                    var writer = JSONWriter()
                    writer.object { $0.member("text", text: line) }
                    try await connection.send(request(number, "note.create", writer.bytes) + [UInt8(ascii: "\n")])
                    let answer = try await connection.answer()
                    if !UTF8Validation.isValid(line) {
                        refused += 1
                        #expect(answer.refusal?.error.kind == .parseError, "line \(number)")
                        #expect(answer.refusal?.error.details.contains { if case .offset = $0 { true } else { false } } == true)
                    } else if line.contains(0) {
                        #expect(answer.refusal?.error.path == "params.text", "line \(number)")
                    } else {
                        let note = try CreateResult(reading: try #require(answer.result, "line \(number)")).note
                        let got = try await connection.call(
                            #"{"jsonrpc":"2.0","id":1,"method":"note.get","params":{"id":"\#(note.head.id)"}}"#)
                        #expect(try GetResult(reading: try #require(got.result)).note.text == line, "line \(number)")
                    }
                }
                #expect(refused == 69)
            }
        }
    }
}
