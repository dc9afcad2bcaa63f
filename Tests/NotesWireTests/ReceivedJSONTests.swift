import NoteText
import NotesModel
import NotesWire
import StrictJSON
import TestKit
import Testing

@Suite struct ReceivedJSONTests {
    /// A newer daemon may add members; a client passes them on as they came, spaces included.
    @Test func receivedObject_keepsUnknownMembers() throws {
        let text = bytes(#"{"path":"/a", "bytes":1,"later":[1, 2]}"#)
        let read = try BackupResult(reading: JSONDocument(parsing: text, depthMax: 8).root)
        #expect(read.json == text)
    }

    @Test func createdObject_equalsItsParsedForm() throws {
        let made = BackupResult(path: "/a", bytes: 1)
        #expect(made.json == bytes(#"{"path":"/a","bytes":1,"files":0,"missingFiles":0}"#))
        #expect(try BackupResult(reading: JSONDocument(parsing: made.json, depthMax: 8).root) == made)
    }

    @Test func historyPage_keepsJSONOfEachRevision() throws {
        let revision =
            #"{"dot":"aaaaaaaaaaaaaaaa:1","parents":[],"version":"aaaaaaaaaaaaaaaa:1","author":{"user":"a","label":null},"#
            + #""modified":"2026-01-01T00:00:00.000Z","bytes":0,"deleted":false,"name":null,"kind":"saved","later":true}"#
        let text = bytes(#"{"revisions":[\#(revision)],"next":null}"#)
        let page = try HistoryResult(reading: JSONDocument(parsing: text, depthMax: 8).root)
        #expect(page.received.content.map { Array($0) } == [bytes(revision)])
    }
}
