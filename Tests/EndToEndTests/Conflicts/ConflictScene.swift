import NoteText
import NotesModel
import NotesWire
import StrictJSON
import Testing

/// A note of four lines whose second line two clients saved concurrently, so that it shows `one 2
/// TWO three four`; and the expected description of the conflict.
extension Scene {
    static let base = #"one\ntwo\nthree\nfour\n"#
    static let both = #"one\n2\nTWO\nthree\nfour\n"#

    /// The conflict's range, in bytes.
    static func conflict(_ range: Range<Int> = 4..<10) -> String {
        textConflict(range, id: "conflict", base: #"two\n"#, [("v2", #"TWO\n"#), ("v3", #"2\n"#)])
    }

    static func bare(_ range: Range<Int> = 4..<10) -> String {
        bareConflict(range, id: "conflict")
    }

    /// Makes the conflict and defines the words `v1` to `v3`, `both` for the version that covers
    /// all, and `conflict`.
    static func inConflict(_ body: (inout Scene, DaemonProcess) async throws -> Void) async throws {
        try await DaemonProcess.run { daemon in
            var scene = Scene(daemon)
            try await scene.create(base)
            try await scene.save("c1", on: "v1", #"one\nTWO\nthree\nfour\n"#, is: "saved", as: "v2")
            try await scene.save(
                "c2", on: "v1", #"one\n2\nthree\nfour\n"#, is: "conflicted", as: "v3",
                shown: #"{"version":"<both>","edits":[{"start":6,"end":6,"text":"TWO\n"}],"conflicts":[\#(conflict())],"#
                    + #""text":"\#(both)"}"#)
            try await body(&scene, daemon)
        }
    }

    /// Makes an edit of one range and expects the outcome `saved`.
    mutating func edit(_ range: Range<Int>, _ text: String, on base: String, as dot: String) async throws {
        try await write(
            "c3", "note.edit", on: base,
            #""edits":[{"start":\#(range.lowerBound),"end":\#(range.upperBound),"text":"\#(text)"}]"#, is: "saved", as: dot)
    }

    /// The number of notes in conflict, as the daemon counts them.
    mutating func counts(conflicted: Int) async throws {
        try await ask("reader", "daemon.status", "{}", is: #"{"conflicted":\#(conflicted),"…":"…"}"#)
    }

    /// The notes in a list filtered by conflict.
    mutating func lists(_ notes: String) async throws {
        try await ask("reader", "note.list", #"{"filter":{"conflicted":true}}"#, is: #"{"notes":\#(notes),"next":null}"#)
    }

    /// The kinds of open conflicts, sorted.
    mutating func openKinds(at version: String? = nil) async throws -> [String] {
        let place = version.map { #","at":"<\#($0)>""# } ?? ""
        let answer = try await ask("reader", "note.get", #"{"id":"\#(Self.id)"\#(place)}"#)
        return answer["result"]?["note"]?["conflicts"]?.elements.compactMap { $0["kind"]?.string?.description }.sorted() ?? ["?"]
    }
}
