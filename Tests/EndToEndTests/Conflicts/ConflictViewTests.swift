import Foundation
import NoteText
import NotesModel
import NotesWire
import StrictJSON
import TestKit
import Testing

extension EndToEnd {
    /// Tests of conflicts as clients receive them: in responses, lists and watches, in each
    /// position encoding.
    @Suite struct ConflictViewTests {
        @Test func conflict_isFullInGet_andShortInLists() async throws {
            try await Scene.inConflict { scene, _ in
                let conflicts = "[\(Scene.conflict())]"
                try await scene.shows(siblings: ["v2", "v3"], text: Scene.both, conflicts: conflicts)
                try await scene.lists(#"[{"id":"\#(Scene.id)","version":"<both>","conflicts":[\#(Scene.bare())],"…":"…"}]"#)
                try await scene.ask(
                    "reader", "note.list", #"{"filter":{"conflicted":false}}"#, is: #"{"notes":[],"next":null}"#)
                try await scene.counts(conflicted: 1)
                try await scene.ask(
                    "reader", "note.get", #"{"id":"\#(Scene.id)","from":"<v2>"}"#,
                    is: #"{"note":{"version":"<both>","edits":[{"start":4,"end":4,"text":"2\n"}],"#
                        + #""conflicts":\#(conflicts),"…":"…"}}"#)
            }
        }

        @Test func sides_nameTheirAuthors() async throws {
            try await Scene.inConflict { scene, _ in
                let answer = try await scene.ask("reader", "note.get", #"{"id":"\#(Scene.id)"}"#)
                let sides = answer["result"]?["note"]?["conflicts"]?.elements.first { _ in true }?["sides"]
                let labels = sides?.elements.compactMap { $0["author"]?["label"]?.string?.description }
                #expect(labels == ["c1", "c2"])
            }
        }

        /// Before the conflict are 😀 and é: 7 bytes with their LF, 4 units of UTF-16, 3 of UTF-32.
        @Test(arguments: [("utf-8", 7), ("utf-16", 4), ("utf-32", 3)])
        func range_usesEncodingOfTheSession(encoding: String, start: Int) async throws {
            try await DaemonProcess.run { daemon in
                var scene = Scene(daemon)
                _ = try await scene.client("counts", encoding: encoding)
                try await scene.create(#"😀é\nx\n"#)
                try await scene.ask(
                    "counts", "notes.watch", #"{"include":"text","echo":false,"snapshot":false}"#, is: #""<any>""#)
                try await scene.receives("counts", "watch.synced", is: #""<any>""#)
                let full = textConflict(start..<start + 4, id: "conflict", base: #"x\n"#, [("v2", #"y\n"#), ("v3", #"z\n"#)])
                try await scene.save("counts", on: "v1", #"😀é\ny\n"#, is: "saved", as: "v2")
                try await scene.save("c2", on: "v1", #"😀é\nz\n"#, is: "conflicted", as: "v3", shown: #""<any>""#)
                try await scene.receives(
                    "counts", "note.changed", is: #"{"change":"conflicted","note":{"conflicts":[\#(full)],"…":"…"},"…":"…"}"#)
                let params = #"{"id":"\#(Scene.id)"}"#
                try await scene.ask("counts", "note.get", params, is: #"{"note":{"conflicts":[\#(full)],"…":"…"}}"#)
                try await scene.ask(
                    "counts", "note.list", "{}",
                    is: #"{"notes":[{"conflicts":[\#(bareConflict(start..<start + 4, id: "conflict"))],"…":"…"}],"next":null}"#)
                let sides = textConflict(start..<start + 4, id: "conflict", base: #"x\n"#, [("v3", #"z\n"#), ("v4", #"w\n"#)])
                try await scene.ask(
                    "counts", "note.save", #"{"id":"\#(Scene.id)","base":"<v2>","text":"😀é\nw\n"}"#,
                    is: #"{"outcome":"conflicted","dot":"<v4>","version":"<v4>","note":{"conflicts":[\#(sides)],"…":"…"}}"#)
            }
        }

        @Test func watch_sendsConflictsInItsDetail() async throws {
            try await DaemonProcess.run { daemon in
                var scene = Scene(daemon)
                // Long enough that edits are shorter than the text.
                let rest = String(repeating: "x", count: 200) + #"\n"#
                let forms = [
                    ("meta", Scene.bare(), ""), ("text", Scene.conflict(), #""text":"\#(Scene.both)\#(rest)","#),
                    ("edits", Scene.conflict(), #""base":"<v2>","edits":[{"start":4,"end":4,"text":"2\n"}],"#),
                ]
                for form in forms {
                    try await scene.ask(form.0, "notes.watch", #"{"include":"\#(form.0)"}"#, is: #""<any>""#)
                    try await scene.receives(form.0, "watch.synced", is: #""<any>""#)
                }
                func all(_ scene: inout Scene, _ change: String, _ note: (String, String) -> String) async throws {
                    for form in forms {
                        try await scene.receives(
                            form.0, "note.changed",
                            is: #"{"change":"\#(change)","note":{\#(note(form.1, form.2))"…":"…"},"…":"…"}"#)
                    }
                }
                try await scene.create(Scene.base + rest)
                try await all(&scene, "created") { _, _ in #""conflicts":[],"# }
                try await scene.save("c1", on: "v1", #"one\nTWO\nthree\nfour\n"# + rest, is: "saved", as: "v2")
                try await all(&scene, "edited") { _, _ in #""conflicts":[],"# }
                try await scene.save(
                    "c2", on: "v1", #"one\n2\nthree\nfour\n"# + rest, is: "conflicted", as: "v3",
                    shown: #"{"version":"<both>","…":"…"}"#)
                try await all(&scene, "conflicted") { #""conflicts":[\#($0)],\#($1)"# }
                try await scene.edit(0..<0, "0", on: "both", as: "v4")
                try await all(&scene, "edited") { _, _ in #""version":"<v4>","# }
                try await scene.edit(5..<6, "II", on: "v4", as: "v5")
                try await all(&scene, "resolved") { _, _ in #""conflicts":[],"# }
            }
        }

        @Test func conflictWatch_getsNotesEnteringAndLeaving() async throws {
            try await DaemonProcess.run { daemon in
                var scene = Scene(daemon)
                try await scene.create(Scene.base)
                try await scene.ask("w", "notes.watch", #"{"filter":{"conflicted":true}}"#, is: #""<any>""#)
                try await scene.receives("w", "watch.synced", is: #""<any>""#)
                try await scene.save("c1", on: "v1", #"one\nTWO\nthree\nfour\n"#, is: "saved", as: "v2")
                try await scene.save(
                    "c2", on: "v1", #"one\n2\nthree\nfour\n"#, is: "conflicted", as: "v3",
                    shown: #"{"version":"<both>","…":"…"}"#)
                try await scene.receives(
                    "w", "note.changed",
                    is: #"{"change":"created","note":{"version":"<both>","conflicts":[\#(Scene.bare())],"…":"…"},"…":"…"}"#)
                // A concurrent conflict of names is a separate conflict.
                try await scene.write("c1", "note.save", on: "both", #""name":"a""#, is: "saved", as: "v4")
                try await scene.receives("w", "note.changed", is: #"{"change":"edited","…":"…"}"#)
                try await scene.write(
                    "c2", "note.save", on: "both", #""name":"b""#, is: "conflicted", as: "v5", shown: #""<any>""#)
                try await scene.receives("w", "note.changed", is: #"{"change":"conflicted","…":"…"}"#)
                try await scene.shows(siblings: ["v4", "v5"], text: Scene.both, conflicts: #"["<any>","<any>"]"#)
                try await scene.write("c2", "note.save", on: "now", #""name":"c""#, is: "saved", as: "v6")
                try await scene.receives(
                    "w", "note.changed", is: #"{"change":"conflicted","note":{"conflicts":[\#(Scene.bare())],"…":"…"},"…":"…"}"#)
                try await scene.edit(4..<10, #"both\n"#, on: "v6", as: "v7")
                try await scene.receives(
                    "w", "note.changed", is: #"{"change":"left","note":{"id":"\#(Scene.id)","version":"<v7>"},"…":"…"}"#)
                try await scene.lists("[]")
                try await scene.counts(conflicted: 0)
            }
        }

        @Test func oldVersion_showsConflictsOpenThen() async throws {
            try await Scene.inConflict { scene, _ in
                try await scene.edit(4..<10, #"both\n"#, on: "both", as: "v4")
                try await scene.shows(siblings: ["v4"], text: #"one\nboth\nthree\nfour\n"#)
                try await scene.ask(
                    "reader", "note.get", #"{"id":"\#(Scene.id)","at":"<both>"}"#,
                    is: #"{"note":{"version":"<both>","text":"\#(Scene.both)","conflicts":[\#(Scene.conflict())],"…":"…"}}"#)
                for version in ["v1", "v2", "v3", "v4"] { #expect(try await scene.openKinds(at: version) == []) }
            }
        }

        @Test func repeatedConflictedOp_getsTheSameResponse() async throws {
            try await Scene.inConflict { scene, _ in
                let params = #"{"id":"\#(Scene.id)","base":"<v1>","text":"one\nzwei\nthree\nfour\n","op":"once"}"#
                let sides = textConflict(
                    4..<15, id: "conflict", base: #"two\n"#, [("v2", #"TWO\n"#), ("v3", #"2\n"#), ("v4", #"zwei\n"#)])
                let answer = #""outcome":"conflicted","dot":"<v4>","version":"<v4>","note":{"conflicts":[\#(sides)],"…":"…"}"#
                try await scene.ask("c4", "note.save", params, is: "{\(answer)}")
                try await scene.ask("c4", "note.save", params, is: #"{\#(answer),"replayed":true}"#)
            }
        }
    }
}
