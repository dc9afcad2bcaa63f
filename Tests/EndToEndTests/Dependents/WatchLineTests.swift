import NotesWire
import TestKit
import Testing

/// Compares the fast parser of lines with the JSON parser.
@Suite struct WatchLineTests {
    private static func line(_ members: String, change: String = "edited") -> String {
        #"{"jsonrpc":"2.0","method":"note.changed","params":{"watch":1,"seq":12,"cursor":"42.aaaaaaaaaaaaaaaa","#
            + #""change":"\#(change)","note":{"id":"01890a5d-ac96-774b-bcce-b302099a8057","name":"a \",\"version\":\"x","#
            + #""version":"aaaaaaaaaaaaaaaa:41 aaaaaaaaaaaaaaaa:42","conflicts":[],"title":" \"deleted\":true ","tags":["a"],"#
            + #""created":"2026-01-01T00:00:00.000Z","modified":"2026-01-01T00:00:00.000Z","#
            + #""author":{"user":"ada","label":"x\",\"deleted\":false"},"bytes":7,"#
            + members
    }

    @Test(arguments: [
        line(#""deleted":false}}}"#), line(#""deleted":true}}}"#, change: "deleted"), line(#""deleted":false},"coalesced":2}}"#),
        line(#""deleted":false},"coalesced":1203,"origin":{"dependent":77,"label":"}}}"}}}"#),
        line(#""deleted":false},"origin":{"dependent":7,"label":null}}}"#),
    ])
    func fastParser_matchesJSONParser(line: String) throws {
        let (quick, whole) = try bytes(line).withUnsafeBytes { (WatchLine(quickly: $0), try WatchLine(parsing: $0)) }
        #expect(quick != nil)
        #expect(quick == whole)
    }

    /// Lines not in exactly that form are left to the JSON parser.
    @Test(arguments: [
        line(#""deleted":false,"text":"a"}}}"#), line(#""deleted":false,"base":"x","edits":[]}}}"#),
        line(#""deleted":false}}}x"#),
        line(#""deleted":false},"coalesced":1}}"#), line(#""deleted":null}}}"#),
        line(#""deleted":false},"origin":{"label":null}}}"#),
        line(#""deleted":false}}}"#, change: "left"), line(#""deleted":false}}}"#, change: "changed"),
        line(#""deleted":false},"coalesced":02}}"#), "", "{}", #"{"jsonrpc":"2.0","id":1,"result":{}}"#,
    ])
    func otherForms_areLeftToJSONParser(line: String) {
        #expect(bytes(line).withUnsafeBytes { WatchLine(quickly: $0) } == nil)
    }
}
