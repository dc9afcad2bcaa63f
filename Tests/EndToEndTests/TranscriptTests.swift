import NoteText
import NotesModel
import NotesWire
import StrictJSON
import TestKit
import Testing

extension EndToEnd {
    /// Replays every example of `docs/protocol.md`, and of the pages that belong to it, against the
    /// daemon.
    @Suite struct TranscriptTests {
        @Test(arguments: [("protocol.md", 8), ("search.md", 2), ("presence.md", 2)])
        func everyTranscript_matchesTheDaemon(page: String, countMin: Int) async throws {
            let hello = try #require(try Self.transcripts(of: "protocol.md").first?.steps.first)
            let transcripts = try Self.transcripts(of: page)
            #expect(transcripts.count >= countMin)
            #expect(transcripts.allSatisfy { transcript in transcript.steps.contains { $0.isSent } })
            for transcript in transcripts {
                try await DaemonProcess.run { daemon in
                    let connection = try RawConnection(daemon.socket)
                    if !transcript.isBeforeHello {
                        try await connection.send(hello.text + "\n")
                        _ = try await connection.answer()
                    }
                    try await play(transcript, on: connection)
                }
            }
        }

        private static func transcripts(of page: String) throws -> [Transcript] {
            try Transcript.all(in: Files.read(Fixture.repositoryPath("docs/\(page)")))
        }

        private func play(_ transcript: Transcript, on connection: RawConnection) async throws {
            var words = Words()
            for step in transcript.steps {
                if step.isSent {
                    try await connection.send(words.replaced(in: step.text) + "\n")
                    continue
                }
                let line = try #require(try await connection.line(), "line \(step.number)")
                let got = try JSONDocument(parsing: line, depthMax: WireProtocol.serverDepthMax).root
                let wanted = try JSONDocument(parsing: bytes(step.text), depthMax: WireProtocol.serverDepthMax).root
                let difference = words.difference(wanted, got)
                #expect(
                    difference == nil,
                    "line \(step.number) of the page: \(difference ?? ""); \(String(decoding: line, as: UTF8.self))")
            }
            // The daemon sends nothing that the page does not show.
            let last = try await connection.call(#"{"jsonrpc":"2.0","id":"the end","method":"session.ping"}"#)
            guard case .result(.string("the end"), _) = last else {
                Issue.record("after the block that ends at line \(transcript.steps.last?.number ?? 0): \(last)")
                return
            }
        }
    }
}

/// One block of example lines of the page.
struct Transcript {
    struct Step {
        var text: String
        let isSent: Bool
        /// Number of its first line on the page, from 1.
        let number: Int
    }

    let isBeforeHello: Bool
    var steps: [Step] = []

    struct Malformed: Error, CustomStringConvertible {
        let description: String
    }

    static func all(in page: [UInt8]) throws -> [Transcript] {
        var transcripts: [Transcript] = []
        var open: Transcript?
        let lines = String(decoding: page, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            if let block = open {
                if line == "```" {
                    transcripts.append(block)
                    open = nil
                } else if line.hasPrefix("> ") || line.hasPrefix("< ") {
                    open?.steps.append(Step(text: String(line.dropFirst(2)), isSent: line.hasPrefix("> "), number: index + 1))
                } else if line.hasPrefix("  "), let last = block.steps.indices.last {
                    open?.steps[last].text += line.drop { $0 == " " }
                } else {
                    throw Malformed(
                        description: "line \(index + 1) of the page is in a transcript, and neither sent, received nor continued")
                }
            } else if line.hasPrefix("```transcript") {
                open = Transcript(isBeforeHello: line == "```transcript before-hello")
            }
        }
        guard open == nil else { throw Malformed(description: "a transcript has no end") }
        return transcripts
    }
}

/// The JSON values that placeholders stand for: `"<any>"` matches anything; any other keeps its
/// first value.
struct Words {
    private var meanings: [String: [UInt8]] = [:]

    /// Forgets a placeholder's value.
    mutating func forget(_ word: String) {
        meanings[word] = nil
    }

    /// The value of a placeholder for a string without escapes.
    func meaning(of word: String) -> String? {
        meanings[word].map { String(decoding: $0.dropFirst().dropLast(), as: UTF8.self) }
    }

    func replaced(in line: String) -> String {
        meanings.reduce(line) { $0.replacing("\"<\($1.key)>\"", with: String(decoding: $1.value, as: UTF8.self)) }
    }

    /// The first difference from the expected value; nil if there is none.
    mutating func difference(_ wanted: JSONValue, _ got: JSONValue, at path: String = "") -> String? {
        if let word = Self.word(wanted) {
            if word == "any" { return nil }
            let meaning = meanings[word] ?? Array(got.source)
            meanings[word] = meaning
            return meaning == Array(got.source) ? nil : "\(path): <\(word)> was \(String(decoding: meaning, as: UTF8.self))"
        }
        guard wanted.kind == got.kind else { return "\(path): is \(got.kind)" }
        switch wanted.kind {
        case .object: return objectDifference(wanted, got, path)
        case .array:
            let (left, right) = (Array(wanted.elements), Array(got.elements))
            guard left.count == right.count else { return "\(path): has \(right.count) elements" }
            for (index, pair) in zip(left, right).enumerated() {
                if let difference = difference(pair.0, pair.1, at: "\(path)[\(index)]") { return difference }
            }
            return nil
        case .string: return wanted.string == got.string ? nil : "\(path): is \(got.string?.description ?? "")"
        case .null, .bool, .number:
            return wanted.source.elementsEqual(got.source) ? nil : "\(path): is \(String(decoding: got.source, as: UTF8.self))"
        }
    }

    private mutating func objectDifference(_ wanted: JSONValue, _ got: JSONValue, _ path: String) -> String? {
        var members = Dictionary(uniqueKeysWithValues: got.members.map { ($0.name, $0.value) })
        var mayHaveMore = false
        for member in wanted.members {
            if member.name == "…" {
                mayHaveMore = true
            } else if let value = members.removeValue(forKey: member.name) {
                if let difference = difference(member.value, value, at: "\(path).\(member.name)") { return difference }
            } else {
                return "\(path).\(member.name): is missing"
            }
        }
        return members.isEmpty || mayHaveMore ? nil : "\(path): also has \(members.keys.sorted().map(\.description))"
    }

    private static func word(_ value: JSONValue) -> String? {
        guard let string = value.string?.description, string.hasPrefix("<"), string.hasSuffix(">"), string.count > 2 else {
            return nil
        }
        return String(string.dropFirst().dropLast())
    }
}
