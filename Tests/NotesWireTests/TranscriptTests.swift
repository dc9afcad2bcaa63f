import NoteText
import NotesMethods
import NotesWire
import StrictJSON
import TestKit
import Testing

/// The examples of `docs/protocol.md` and of the pages that belong to it, as far as they can be checked without a daemon: the reader
/// accepts or rejects each request as its response says, and `docs/openrpc.json` describes each
/// response.
@Suite struct TranscriptTests {
    private struct Line {
        var text: String
        let isSent: Bool
        let isBeforeHello: Bool

        var mayBeUnanswered: Bool {
            if case .unanswered = RequestReader().read(bytes(text), isRegistered: true) { true } else { false }
        }
    }

    /// Sample values for the placeholders of a block.
    private static let samples: [(word: String, value: String)] = [
        ("<v1>", "aaaaaaaaaaaaaaaa:1"), ("<v2>", "aaaaaaaaaaaaaaaa:2"), ("<v3>", "aaaaaaaaaaaaaaaa:3"),
        ("<v4>", "aaaaaaaaaaaaaaaa:4"),
        ("<v5>", "aaaaaaaaaaaaaaaa:5"), ("<both>", "aaaaaaaaaaaaaaaa:2 aaaaaaaaaaaaaaaa:3"), ("<c1>", "1.aaaaaaaaaaaaaaaa"),
        ("<c2>", "2.aaaaaaaaaaaaaaaa"), ("<next>", "\(noteID(1))/work/a"), ("<older>", "3"), ("<a>", "\(noteID(1))"),
        ("<b>", "\(noteID(2))"), ("<inbox>", "\(noteID(1))"), ("<home>", "\(noteID(2))"),
        ("<t1>", "2026-11-20T23:29:57.123Z"), ("<c>", "0123456789abcdef0123456789abcdef"),
        ("\"<w>\"", "1"), ("<head>", "AAAA"),
    ]

    private static let pages = ["protocol.md", "search.md", "presence.md"]

    private func blocks() throws -> [[Line]] {
        var blocks: [[Line]] = []
        var isInside = false
        var isBeforeHello = false
        let text = try Self.pages.map { string(try repositoryFile("docs/\($0)")) }.joined(separator: "\n")
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                isInside = line.hasPrefix("```transcript")
                isBeforeHello = line.hasSuffix(" before-hello")
                if isInside { blocks.append([]) }
            } else if isInside {
                let text = Self.samples.reduce(String(line.dropFirst(2))) { $0.replacing($1.word, with: $1.value) }
                let last = blocks.count - 1
                if line.hasPrefix("  "), !blocks[last].isEmpty {
                    blocks[last][blocks[last].count - 1].text += text.drop { $0 == " " }
                    continue
                }
                #expect(line.hasPrefix("> ") || line.hasPrefix("< "), "\(line)")
                blocks[last].append(Line(text: text, isSent: line.hasPrefix(">"), isBeforeHello: isBeforeHello))
            }
        }
        return blocks
    }

    @Test func transcripts_areAnsweredLineByLine() throws {
        let blocks = try blocks()
        #expect(blocks.count >= 9)
        for block in blocks {
            #expect(block.first?.isSent == true)
            for (sent, answer) in zip(block, block.dropFirst()) where sent.isSent {
                #expect(!answer.isSent || sent.mayBeUnanswered, "\(sent.text) has no answer")
            }
            // A placeholder in a request was bound by an earlier line.
            for line in block {
                #expect(!line.text.contains("\"<") || !line.isSent || line.text.contains("<any>"), "\(line.text)")
            }
        }
    }

    @Test func transcriptRequests_matchTheirResponses() throws {
        let kindsOfReading: Set<ErrorKind> = [
            .parseError, .invalidRequest, .methodNotFound, .invalidParams, .helloRequired, .unsupportedProtocol,
        ]
        for block in try blocks() {
            var isRegistered = block.first?.isBeforeHello != true
            for (sent, answer) in zip(block, block.dropFirst()) where sent.isSent {
                let expected = try JSONDocument(parsing: bytes(answer.text), depthMax: 16).root
                let error = expected["error"]
                let kind = error?["data"]?["kind"]?.string.flatMap { ErrorKind(rawValue: $0.description) }
                switch RequestReader().read(bytes(sent.text), isRegistered: isRegistered) {
                case .refused(let id, let refusal):
                    #expect(
                        refusal.kind == kind && Int64(refusal.kind.code) == error?["code"]?.integer, "\(sent.text): \(refusal)")
                    #expect(RequestID(expected["id"] ?? expected) == id, "\(sent.text)")
                    #expect(refusal.path == error?["data"]?["path"]?.string?.description, "\(sent.text)")
                    if case .offset(let offset) = refusal.details.first {
                        #expect(Int64(offset) == error?["data"]?["offset"]?.integer)
                    }
                case .request(let id, let call):
                    #expect(RequestID(expected["id"] ?? expected) == id)
                    // Only the engine knows which ops are in use and how long a version's text is.
                    let path = error?["data"]?["path"]?.string
                    let isFoundLater = path == "params.op" || call.method == .setPresence && path == "params.selection"
                    #expect(kind.map { !kindsOfReading.contains($0) || isFoundLater } ?? true, "\(sent.text)")
                    if call.method == .hello { isRegistered = true }
                case .unanswered: #expect(isRegistered)
                case .dropped(let refusal): Issue.record("\(sent.text): \(refusal)")
                }
            }
        }
    }

    /// Checks that the document describes every member of each response and notification.
    @Test func transcriptMembers_areDescribed() throws {
        let document = try JSONDocument(parsing: OpenRPC.document, depthMax: WireProtocol.serverDepthMax).root
        let check = SchemaCheck(document: document)
        for block in try blocks() {
            var method: ByteString?
            for line in block {
                guard let root = try? JSONDocument(parsing: bytes(line.text), depthMax: 16).root else { continue }
                if line.isSent {
                    method = root["method"]?.string
                } else if let result = root["result"] {
                    let described = document["methods"]?.elements.first { $0["name"]?.string == method }?["result"]?["schema"]
                    #expect(check.undescribed(result, try #require(described)) == [], "\(line.text)")
                } else if let params = root["params"] {
                    let name = root["method"]?.string
                    let described = document["x-notifications"]?.elements.first { $0["name"]?.string == name }?["params"]
                    #expect(check.undescribed(params, try #require(described)) == [], "\(line.text)")
                }
            }
        }
    }
}

extension SchemaCheck {
    /// Names of members that are not in the schema, except placeholders.
    fileprivate func undescribed(_ value: JSONValue, _ schema: JSONValue) -> [String] {
        let schema = resolved(schema)
        if let options = schema["oneOf"] {
            let all = options.elements.map { undescribed(value, $0) }
            return all.min { $0.count < $1.count } ?? []
        }
        let inItems = schema["items"].map { items in value.elements.flatMap { undescribed($0, items) } } ?? []
        guard let properties = schema["properties"] else { return inItems }
        return inItems
            + value.members.flatMap { member -> [String] in
                guard let described = properties.members.first(where: { $0.name == member.name }) else {
                    return member.name == "…" ? [] : [member.name.description]
                }
                return undescribed(member.value, described.value)
            }
    }
}
