import Foundation
import NotesModel
import TestKit
import Testing

@testable import LanguageServer

/// An editor that sends messages to a session and reads what it sends.
struct Editor {
    var session = LanguageSession()
    var actions: [LanguageAction] = []
    var now = Duration.zero

    @discardableResult
    mutating func send(_ json: String) -> [[String: Any]] {
        receive(.input(.body(Array(json.utf8))))
    }

    /// The messages that the session sends in response.
    @discardableResult
    mutating func receive(_ event: LanguageEvent) -> [[String: Any]] {
        actions = session.receive(event, at: now)
        return actions.compactMap { action in
            guard case .send(let message) = action else { return nil }
            var framer = ContentFramer()
            framer.receive(message)
            guard case .body(let body) = framer.next() else { return nil }
            return try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
        }
    }

    mutating func request(_ id: Int, _ method: String, _ params: String = "{}") -> [[String: Any]] {
        send(#"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#)
    }

    @discardableResult
    mutating func notify(_ method: String, _ params: String = "{}") -> [[String: Any]] {
        send(#"{"jsonrpc":"2.0","method":"\#(method)","params":\#(params)}"#)
    }

    mutating func initialize(_ encodings: String = #"["utf-8","utf-16"]"#) -> [[String: Any]] {
        request(1, "initialize", #"{"capabilities":{"general":{"positionEncodings":\#(encodings)}},"clientInfo":{"name":"ed"}}"#)
    }

    mutating func open(_ uri: String, _ text: String) {
        notify(
            "textDocument/didOpen", #"{"textDocument":{"uri":"\#(uri)","languageId":"markdown","version":1,"text":"\#(text)"}}"#)
    }

    var exitCode: Int32? {
        for case .exit(let code) in actions { return code }
        return nil
    }

    var asked: LanguageScene? {
        for case .ask(_, _, let scene) in actions { return scene }
        return nil
    }

    var checked: LanguageScene? {
        for case .check(let scene, _) in actions { return scene }
        return nil
    }
}

private func code(_ messages: [[String: Any]]) -> Int? { (messages.first?["error"] as? [String: Any])?["code"] as? Int }

@Suite struct LanguageSessionTests {
    private static let position = #"{"textDocument":{"uri":"file:///n/a.md"},"position":{"line":0,"character":0}}"#

    /// L11.
    @Test func messagesThatBreakARule_getTheCodesOfTheSpecification() {
        var editor = Editor()
        #expect(code(editor.send("{")) == -32700)
        #expect(code(editor.send("[]")) == -32600)
        #expect(code(editor.send(#"{"jsonrpc":"1.0","id":1,"method":"x"}"#)) == -32600)
        #expect(code(editor.send(#"{"jsonrpc":"2.0","id":{},"method":"x"}"#)) == -32600)
        #expect(code(editor.request(1, "textDocument/hover", Self.position)) == -32002)
        #expect(editor.notify("textDocument/didOpen").isEmpty)
        #expect(code(editor.initialize()) == nil)
        #expect(code(editor.initialize()) == -32600)
        #expect(code(editor.request(2, "textDocument/unknown")) == -32601)
        #expect(code(editor.request(3, "$/unknown")) == -32601)
        #expect(editor.notify("$/unknown").isEmpty && editor.notify("unknown").isEmpty)
        #expect(code(editor.request(4, "textDocument/hover", "{}")) == -32602)
        #expect(code(editor.request(4, "textDocument/hover", "[1]")) == -32602)
        #expect(code(editor.request(4, "workspace/executeCommand", #"{"command":"rm"}"#)) == -32602)
        for arguments in [#"["file:///n/a.md"]"#, #"["file:///n/a.md","c",3]"#] {
            let params = #"{"command":"notesd.resolve","arguments":\#(arguments)}"#
            #expect(code(editor.request(4, "workspace/executeCommand", params)) == -32602)
        }
        #expect(code(editor.request(4, "textDocument/rename", Self.position)) == -32602)
        #expect(editor.send(#"{"jsonrpc":"2.0","id":7,"result":null}"#).isEmpty)
        #expect(editor.request(5, "shutdown").first?["result"] is NSNull)
        #expect(code(editor.request(6, "textDocument/hover", Self.position)) == -32600)
        #expect(editor.exitCode == nil)
        editor.notify("exit")
        #expect(editor.exitCode == 0 && editor.session.isEnded)
    }

    @Test func exitWithoutShutdown_isAnError_andTheEndOfInputIsNone() {
        var editor = Editor()
        editor.notify("exit")
        #expect(editor.exitCode == 1)
        var other = Editor()
        _ = other.initialize()
        other.receive(.inputEnded)
        #expect(other.exitCode == 0)
    }

    @Test func encoding_isUTF8IfOffered() {
        for (offered, wanted) in [(#"["utf-16","utf-8"]"#, "utf-8"), (#"["utf-32"]"#, "utf-16"), ("[]", "utf-16")] {
            var editor = Editor()
            let result = editor.initialize(offered).first?["result"] as? [String: Any]
            #expect((result?["capabilities"] as? [String: Any])?["positionEncoding"] as? String == wanted)
        }
    }

    /// An editor that renames files checks the versions of edits, whether it says so or not.
    @Test(arguments: [
        (#""documentChanges":true"#, true, false), (#""resourceOperations":["create","rename"]"#, true, true),
        (#""resourceOperations":[]"#, false, false), (#""documentChanges":false"#, false, false),
    ])
    func editsOfTheEditor_areRead(_ ability: String, _ versionsEdits: Bool, _ renamesFiles: Bool) {
        var editor = Editor()
        let edit = #"{"workspace":{"workspaceEdit":{\#(ability)}},"textDocument":{"rename":{"prepareSupport":true}}}"#
        let result = editor.request(1, "initialize", #"{"capabilities":\#(edit)}"#).first?["result"] as? [String: Any]
        let provider = (result?["capabilities"] as? [String: Any])?["renameProvider"] as? [String: Bool]
        #expect(provider == ["prepareProvider": true])
        editor.open("file:///n/a.md", "x")
        let abilities = editor.checked?.abilities
        #expect(abilities?.versionsEdits == versionsEdits && abilities?.renamesFiles == renamesFiles)
    }

    @Test func cancelledRequest_isAnsweredOnce() throws {
        var editor = Editor()
        _ = editor.initialize()
        editor.open("file:///n/a.md", "x")
        #expect(editor.request(2, "textDocument/hover", Self.position).isEmpty)
        #expect(editor.asked != nil)
        // The same id, while it has no response.
        #expect(code(editor.request(2, "textDocument/hover", Self.position)) == -32600)
        #expect(code(editor.notify("$/cancelRequest", #"{"id":2}"#)) == -32800)
        #expect(editor.notify("$/cancelRequest", #"{"id":2}"#).isEmpty)
        let id = try #require(LanguageRequestID(json: 2))
        #expect(editor.receive(.answered(id, .success(LanguageAnswers.null))).isEmpty)
    }

    @Test func tooManyRequests_areRefused() {
        var editor = Editor()
        _ = editor.initialize()
        editor.open("file:///n/a.md", "x")
        for number in 0..<LanguageProtocol.requestsMax { _ = editor.request(10 + number, "textDocument/hover", Self.position) }
        #expect(code(editor.request(5, "textDocument/hover", Self.position)) == -32803)
    }

    @Test func changes_areAppliedInOrder_andCheckedAfterAPause() {
        var editor = Editor()
        _ = editor.initialize(#"["utf-16"]"#)
        editor.open("file:///n/a.md", #"a\uD834\uDD1Eb\r\nc"#)
        #expect(editor.checked?.document?.version == 1)
        editor.receive(.checked(uri: "file:///n/a.md", version: 1, Array("[]".utf8)))
        editor.now = .seconds(1)
        editor.notify(
            "textDocument/didChange",
            #"""
            {"textDocument":{"uri":"file:///n/a.md","version":7},"contentChanges":[
            {"range":{"start":{"line":0,"character":3},"end":{"line":1,"character":0}},"text":"X\n"},
            {"range":{"start":{"line":1,"character":1},"end":{"line":1,"character":1}},"text":"é"}]}
            """#)
        #expect(editor.checked == nil)
        #expect(editor.session.deadline == .milliseconds(1_300))
        editor.now = .milliseconds(1_300)
        editor.receive(.clock)
        #expect(editor.checked?.document?.version == 7)
        #expect(editor.checked.map { String(decoding: $0.document?.text.bytes ?? [], as: UTF8.self) } == "a𝄞X\ncé")
        // Diagnostics of another version are not for this text.
        #expect(editor.receive(.checked(uri: "file:///n/a.md", version: 1, Array("[]".utf8))).isEmpty)
        #expect(editor.receive(.checked(uri: "file:///n/a.md", version: 7, Array("[]".utf8))).count == 1)
        #expect(editor.notify("textDocument/didClose", #"{"textDocument":{"uri":"file:///n/a.md"}}"#).count == 1)
    }

    /// A change that cannot be read leaves no text that may be wrong.
    @Test(arguments: [#"{"contentChanges":[{"text":3}]"#, #"{"contentChanges":[{"text":"","range":{}}]"#, #"{"x":[]"#])
    func malformedChange_closesTheDocument(_ start: String) {
        var editor = Editor()
        _ = editor.initialize()
        editor.open("file:///n/a.md", "x")
        let shown = editor.notify("textDocument/didChange", start + #","textDocument":{"uri":"file:///n/a.md","version":2}}"#)
        #expect(shown.first?["method"] as? String == "window/showMessage")
        #expect(editor.request(3, "textDocument/hover", Self.position).first?["result"] is NSNull)
    }

    @Test func messageThatCannotBeRead_closesAllDocuments() {
        var editor = Editor()
        _ = editor.initialize()
        editor.open("file:///n/a.md", "x")
        // Half of a surrogate pair.
        #expect(editor.send(#"{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"text":"\uD834"}}"#).count == 2)
        #expect(editor.request(3, "textDocument/hover", Self.position).first?["result"] is NSNull)
    }

    @Test func documentOutsideAFolder_isReportedOnce() {
        var editor = Editor()
        _ = editor.initialize()
        editor.open("file:///n/a.md", "x")
        editor.open("file:///n/b.md", "x")
        #expect(editor.receive(.notice(.outside(path: "/n/a.md"))).count == 1)
        #expect(editor.receive(.notice(.outside(path: "/n/b.md"))).isEmpty)
        #expect(editor.request(3, "textDocument/hover", Self.position).first?["result"] is NSNull)
        // No file at all.
        editor.open("untitled:1", "x")
        #expect(editor.checked == nil)
    }

    /// L9.
    @Test func lostDaemon_isReportedOnce_andItsReturnChecksTheDocuments() {
        var editor = Editor()
        _ = editor.initialize()
        editor.open("file:///n/a.md", "x")
        #expect(editor.receive(.daemonAway(reason: "no daemon")).count == 1)
        #expect(editor.receive(.daemonAway(reason: "no daemon")).isEmpty)
        #expect(editor.receive(.daemonUp).isEmpty)
        // The first check has not ended.
        editor.receive(.clock)
        #expect(editor.checked == nil && editor.session.deadline == nil)
        #expect(editor.receive(.checked(uri: "file:///n/a.md", version: 1, nil)).isEmpty)
        #expect(editor.session.deadline == .zero)
        editor.receive(.clock)
        #expect(editor.checked != nil)
        #expect(editor.receive(.daemonAway(reason: "no daemon")).count == 1)
    }

    /// Random messages, well formed and not, in any order.
    @Test(arguments: seeds(100)) func anyMessages_leaveTheSessionAlive(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var editor = Editor()
        let methods = [
            "initialize", "initialized", "shutdown", "textDocument/didOpen", "textDocument/didChange", "textDocument/didClose",
            "textDocument/completion", "textDocument/hover", "textDocument/codeAction", "workspace/symbol", "$/cancelRequest",
            "x",
        ]
        for _ in 0..<60 {
            let params = random.pick([
                Self.position, "{}", "[]", "null", String(decoding: random.text(lengthMax: 80), as: UTF8.self),
            ])
            let id = random.pick(["", #""id":\#(random.below(5)),"#, #""id":null,"#, #""id":"a","#])
            editor.now += .milliseconds(random.below(400))
            editor.send(#"{"jsonrpc":"2.0",\#(id)"method":"\#(random.pick(methods))","params":\#(params)}"#)
            editor.receive(.clock)
            #expect(!editor.session.isEnded, "seed \(seed)")
        }
        editor.notify("exit")
        #expect(editor.session.isEnded, "seed \(seed)")
    }
}

extension LanguageRequestID {
    fileprivate init?(json number: Int) {
        guard
            case .request(let id, _, _) = LanguageMessage(parsing: Array(#"{"jsonrpc":"2.0","id":\#(number),"method":"x"}"#.utf8))
        else { return nil }
        self = id
    }
}
