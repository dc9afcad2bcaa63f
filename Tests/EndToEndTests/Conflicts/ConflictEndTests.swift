import Foundation
import NoteText
import NotesModel
import NotesWire
import StrictJSON
import TestKit
import Testing

extension EndToEnd {
    /// Tests of how conflicts end for clients, and that neither crashes nor edits elsewhere end
    /// them.
    @Suite struct ConflictEndTests {
        @Test(arguments: [(5..<7, ""), (4..<6, ""), (6..<9, "II"), (0..<16, #"3\n"#)])
        func removalInTheRange_resolves(range: Range<Int>, text: String) async throws {
            try await Scene.inConflict { scene, _ in
                try await scene.edit(range, text, on: "both", as: "v4")
                #expect(try await scene.openKinds() == [], "\(range)")
                try await scene.counts(conflicted: 0)
                try await scene.lists("[]")
            }
        }

        @Test func saveOfALineBesideTheRange_resolves() async throws {
            try await Scene.inConflict { scene, _ in
                try await scene.save("c3", on: "both", #"one\n2\nTWO\nthree!\nfour\n"#, is: "saved", as: "v4")
                #expect(try await scene.openKinds() == [])
            }
        }

        /// Also after a restart, which begins at the version after the typing.
        @Test func typingInTheRange_settlesNothing() async throws {
            try await Scene.inConflict { scene, _ in
                try await scene.edit(6..<6, "qq", on: "both", as: "v4")
                try await scene.edit(4..<4, "q", on: "v4", as: "v5")
                try await scene.edit(12..<12, "q", on: "v5", as: "v6")
                try await scene.shows(
                    siblings: ["v6"], text: #"one\nq2\nqqTWOq\nthree\nfour\n"#, conflicts: "[\(Scene.conflict(4..<14))]")
                try await scene.crash()
                try await scene.edit(7..<8, "", on: "v6", as: "v7")
                try await scene.shows(
                    siblings: ["v7"], text: #"one\nq2\nqTWOq\nthree\nfour\n"#, conflicts: "[\(Scene.conflict(4..<13))]")
                try await scene.edit(8..<11, "", on: "v7", as: "v8")
                try await scene.shows(siblings: ["v8"], text: #"one\nq2\nqq\nthree\nfour\n"#)
            }
        }

        @Test func editElsewhere_movesTheRange_andResolvesNothing() async throws {
            try await Scene.inConflict { scene, _ in
                try await scene.edit(3..<3, "!", on: "both", as: "v4")
                try await scene.edit(12..<12, "!", on: "v4", as: "v5")
                try await scene.shows(
                    siblings: ["v5"], text: #"one!\n2\nTWO\nt!hree\nfour\n"#, conflicts: "[\(Scene.conflict(5..<11))]")
                try await scene.save("c4", on: "v5", #"one!\n2\nTWO\nt!hree\n4\n"#, is: "saved", as: "v6")
                try await scene.lists(#"[{"conflicts":[\#(Scene.bare(5..<11))],"…":"…"}]"#)
            }
        }

        @Test(arguments: [(4, 6..<12, #"one\nq\n2\nTWO\nthree\nfour\n"#), (10, 4..<10, #"one\n2\nTWO\nq\nthree\nfour\n"#)])
        func linesBesideTheRange_settleNothing(offset: Int, range: Range<Int>, text: String) async throws {
            try await Scene.inConflict { scene, _ in
                try await scene.edit(offset..<offset, #"q\n"#, on: "both", as: "v4")
                try await scene.shows(siblings: ["v4"], text: text, conflicts: "[\(Scene.conflict(range))]")
            }
        }

        @Test func resolvesWithoutText_resolvesConflict() async throws {
            try await Scene.inConflict { scene, _ in
                try await scene.write("c4", "note.save", on: "both", #""resolves":["<conflict>"]"#, is: "saved", as: "v4")
                try await scene.shows(siblings: ["v4"], text: Scene.both)
                try await scene.ask(
                    "c4", "note.save", #"{"id":"\#(Scene.id)","base":"<v4>","resolves":["<conflict>"]}"#,
                    is: #"{"outcome":"unchanged","version":"<v4>"}"#)
                try await scene.shows(siblings: ["v4"], text: Scene.both)
            }
        }

        @Test func resolvesWithEditsElsewhere_resolvesConflict() async throws {
            try await Scene.inConflict { scene, _ in
                try await scene.write(
                    "c4", "note.edit", on: "both", #""edits":[{"start":0,"end":0,"text":"0"}],"resolves":["<conflict>"]"#,
                    is: "saved", as: "v4")
                try await scene.shows(siblings: ["v4"], text: "0" + Scene.both)
            }
        }

        @Test func resolvesOfConflictNotOpenAtBase_isIgnored() async throws {
            try await Scene.inConflict { scene, _ in
                let stranger = String(repeating: "0", count: 32)
                try await scene.ask(
                    "c4", "note.save", #"{"id":"\#(Scene.id)","base":"<both>","resolves":["\#(stranger)"]}"#,
                    is: #"{"outcome":"unchanged","version":"<both>"}"#)
                try await scene.ask(
                    "c4", "note.save",
                    #"{"id":"\#(Scene.id)","base":"<both>","text":"\#(Scene.both)","resolves":["\#(stranger)"]}"#,
                    is: #"{"outcome":"unchanged","version":"<both>"}"#)
                // A client that has seen only one side.
                try await scene.ask(
                    "c4", "note.save", #"{"id":"\#(Scene.id)","base":"<v2>","resolves":["<conflict>"]}"#,
                    is: #"{"outcome":"unchanged","version":"<v2>","note":{"version":"<both>","#
                        + #""conflicts":[\#(Scene.conflict())],"…":"…"}}"#)
                try await scene.shows(siblings: ["v2", "v3"], text: Scene.both, conflicts: "[\(Scene.conflict())]")
                try await scene.write(
                    "c4", "note.save", on: "both", #""name":"a","resolves":["\#(stranger)"]"#, is: "saved", as: "v4")
                try await scene.lists(#"[{"name":"a","conflicts":[\#(Scene.bare())],"…":"…"}]"#)
            }
        }

        @Test func differingConcurrentResolutions_conflictAgain() async throws {
            try await Scene.inConflict { scene, _ in
                try await scene.save("c1", on: "both", #"one\nTwo\nthree\nfour\n"#, is: "saved", as: "v4")
                try await scene.save(
                    "c2", on: "both", #"one\nzwei\nthree\nfour\n"#, is: "conflicted", as: "v5", shown: #""<any>""#)
                let sides = textConflict(4..<13, base: #"2\nTWO\n"#, [("v4", #"Two\n"#), ("v5", #"zwei\n"#)])
                try await scene.shows(siblings: ["v4", "v5"], text: #"one\nTwo\nzwei\nthree\nfour\n"#, conflicts: "[\(sides)]")
            }
        }
    }
}

// MARK: - Names and deletions

extension EndToEnd.ConflictEndTests {
    @Test func twoNames_conflictUntilOneIsSet() async throws {
        try await DaemonProcess.run { daemon in
            var scene = Scene(daemon)
            try await scene.create(#"x\n"#)
            try await scene.write("c1", "note.save", on: "v1", #""name":"old""#, is: "saved", as: "v2")
            try await scene.write("c1", "note.save", on: "v2", #""name":"a""#, is: "saved", as: "v3")
            let conflict =
                #"{"id":"<conflict>","kind":"name","range":{"start":0,"end":0},"base":"old","sides":["#
                + #"\#(fullSide("v3", #""name":"a""#)),\#(fullSide("v4", #""name":null"#))]}"#
            try await scene.write(
                "c2", "note.save", on: "v2", #""name":null"#, is: "conflicted", as: "v4",
                shown: #"{"version":"<both>","edits":[],"conflicts":[\#(conflict)],"text":"x\n"}"#)
            try await scene.shows(siblings: ["v3", "v4"], text: #"x\n"#, conflicts: "[\(conflict)]")
            try await scene.lists(#"[{"name":null,"conflicts":[\#(bareConflict(0..<0, id: "conflict", kind: "name"))],"…":"…"}]"#)
            try await scene.save("c3", on: "both", #"y\n"#, is: "saved", as: "v5")
            #expect(try await scene.openKinds() == ["name"], "a text resolves no name")
            try await scene.crash()
            try await scene.shows(siblings: ["v5"], text: #"y\n"#, conflicts: "[\(conflict)]")
            try await scene.write("c3", "note.save", on: "v5", #""name":"a""#, is: "saved", as: "v6")
            try await scene.shows(siblings: ["v6"], text: #"y\n"#)
            try await scene.counts(conflicted: 0)
        }
    }

    @Test func deletionConflict_endsWithTextOrDeletion() async throws {
        for isDeleting in [false, true] {
            try await DaemonProcess.run { daemon in
                var scene = Scene(daemon)
                try await scene.create(#"😀\nx\n"#)
                try await scene.delete("c1", on: "v1", as: "v2")
                let conflict =
                    #"{"id":"<conflict>","kind":"deletion","range":{"start":0,"end":9},"base":null,"sides":["#
                    + #"\#(fullSide("v2", #""deleted":true"#)),\#(fullSide("v3", #""text":"😀\nx\ny\n""#))]}"#
                try await scene.save(
                    "c2", on: "v1", #"😀\nx\ny\n"#, is: "conflicted", as: "v3",
                    shown: #"{"version":"<both>","edits":[],"conflicts":[\#(conflict)],"text":"😀\nx\ny\n"}"#)
                try await scene.write("c3", "note.save", on: "both", #""name":"a""#, is: "saved", as: "v4")
                try await scene.shows(siblings: ["v4"], text: #"😀\nx\ny\n"#, conflicts: "[\(conflict)]")
                if isDeleting {
                    try await scene.delete("c3", on: "v4", as: "v5")
                    try await scene.shows(siblings: ["v5"], text: "", isDeleted: true)
                } else {
                    try await scene.edit(0..<0, "!", on: "v4", as: "v5")
                    try await scene.shows(siblings: ["v5"], text: #"!😀\nx\ny\n"#)
                }
                try await scene.counts(conflicted: 0)
            }
        }
    }

    @Test func deletedNote_hidesConflictsUntilKept() async throws {
        try await Scene.inConflict { scene, _ in
            try await scene.ask("w", "notes.watch", #"{"filter":{"conflicted":true},"snapshot":false}"#, is: #""<any>""#)
            try await scene.receives("w", "watch.synced", is: #""<any>""#)
            try await scene.delete("c1", on: "both", as: "v4")
            try await scene.shows(siblings: ["v4"], text: "", isDeleted: true)
            try await scene.receives("w", "note.changed", is: #"{"change":"deleted","note":{"conflicts":[],"…":"…"},"…":"…"}"#)
            try await scene.counts(conflicted: 0)
            try await scene.lists("[]")
            try await scene.ask(
                "reader", "note.list", #"{"filter":{"deleted":true,"conflicted":true}}"#, is: #"{"notes":[],"next":null}"#)
            try await scene.crash()
            try await scene.save("c2", on: "both", #"one\n2\nTWO\nthree\nFOUR\n"#, is: "conflicted", as: "v5", shown: #""<any>""#)
            #expect(try await scene.openKinds() == ["deletion", "text"], "the question comes back with the text")
            try await scene.counts(conflicted: 1)
        }
    }
}

// MARK: - Crashes

extension EndToEnd.ConflictEndTests {
    @Test func conflict_isTheSameAfterCrash() async throws {
        try await Scene.inConflict { scene, _ in
            try await scene.crash()
            try await scene.shows(siblings: ["v2", "v3"], text: Scene.both, conflicts: "[\(Scene.conflict())]")
            try await scene.lists(#"[{"version":"<both>","conflicts":[\#(Scene.bare())],"…":"…"}]"#)
            try await scene.counts(conflicted: 1)
            try await scene.ask("w", "notes.watch", #"{"include":"text"}"#, is: #""<any>""#)
            try await scene.receives(
                "w", "note.changed", is: #"{"change":"snapshot","note":{"conflicts":[\#(Scene.conflict())],"…":"…"},"…":"…"}"#)
            try await scene.edit(4..<10, #"both\n"#, on: "both", as: "v4")
            try await scene.crash()
            try await scene.shows(siblings: ["v4"], text: #"one\nboth\nthree\nfour\n"#)
            try await scene.counts(conflicted: 0)
        }
    }

    /// These edits make so many revisions that the sides lie far below the ones loaded with the
    /// note.
    @Test func conflict_survivesManyEditsElsewhereAndACrash() async throws {
        try await Scene.inConflict { scene, _ in
            var base = "both"
            for number in 0..<150 {
                try await scene.edit(16..<16, "a", on: base, as: "w\(number)")
                base = "w\(number)"
                if number == 70 { try await scene.crash() }
            }
            let text = #"one\n2\nTWO\nthree\n"# + String(repeating: "a", count: 150) + #"four\n"#
            let conflicts = "[\(Scene.conflict())]"
            try await scene.shows(siblings: [base], text: text, conflicts: conflicts)
            try await scene.crash()
            try await scene.lists(#"[{"version":"<\#(base)>","conflicts":[\#(Scene.bare())],"…":"…"}]"#)
            try await scene.shows(siblings: [base], text: text, conflicts: conflicts)
            try await scene.ask(
                "reader", "note.get", #"{"id":"\#(Scene.id)","at":"<w99>"}"#,
                is: #"{"note":{"version":"<w99>","conflicts":[\#(Scene.conflict())],"…":"…"}}"#)
            // A write based on one side, from far below, makes that side newer.
            let answer = try await scene.ask(
                "c1", "note.save", #"{"id":"\#(Scene.id)","base":"<v2>","text":"one\nTWO 2\nthree\nfour\n"}"#,
                is: #"{"outcome":"conflicted","dot":"<v4>","version":"<v4>","note":{"version":"<all>","conflicts":["#
                    + #"{"kind":"text","range":{"start":4,"end":12},"base":"two\n","…":"…"}],"…":"…"}}"#)
            let sides = answer["note"]?["conflicts"]?.elements.first { _ in true }?["sides"]?.elements
            #expect(sides?.compactMap { $0["text"]?.string?.description }.sorted() == ["2\n", "TWO 2\n"])
            let id = try #require(answer["note"]?["conflicts"]?.elements.first { _ in true }?["id"]?.string)
            try await scene.write("c1", "note.save", on: "all", #""resolves":["\#(id)"]"#, is: "saved", as: "v5")
            try await scene.crash()
            #expect(try await scene.openKinds() == [])
            #expect(try await scene.openKinds(at: "all") == ["text"])
        }
    }
}
