import Foundation
import NoteText
import NotesModel
import NotesWire
import StrictJSON
import TestKit
import Testing

extension EndToEnd {
    /// The cases of `docs/causality.md` §4 that clients of one daemon can produce, by number. The
    /// response to each write has only the write's own dot as its version, whatever else the note
    /// shows.
    @Suite struct CausalityCaseTests {
        /// The text that both sides of case 3 make of the line.
        private static let both = textConflict(0..<4, id: "conflict", base: #"x\n"#, [("v2", #"y\n"#), ("v3", #"z\n"#)])

        private func scene(_ body: (inout Scene) async throws -> Void) async throws {
            try await DaemonProcess.run { daemon in
                var scene = Scene(daemon)
                try await scene.create(#"x\n"#)
                try await body(&scene)
            }
        }

        /// Two clients that write concurrently, based on the first write.
        private func conflict(_ body: (inout Scene) async throws -> Void) async throws {
            try await scene { scene in
                try await scene.save("c1", on: "v1", #"y\n"#, is: "saved", as: "v2")
                try await scene.save(
                    "c2", on: "v1", #"z\n"#, is: "conflicted", as: "v3",
                    shown: #"{"version":"<both>","edits":[{"start":0,"end":0,"text":"y\n"}],"conflicts":[\#(Self.both)],"#
                        + #""text":"y\nz\n"}"#)
                try await body(&scene)
            }
        }

        @Test func case01_firstWrite() async throws {
            try await scene { scene in try await scene.shows(siblings: ["v1"], text: #"x\n"#) }
        }

        @Test func case02_sequentialWrite() async throws {
            try await scene { scene in
                try await scene.save("c1", on: "v1", #"y\n"#, is: "saved", as: "v2")
                try await scene.shows(siblings: ["v2"], text: #"y\n"#)
            }
        }

        @Test func case03_twoWritesOnOneBase_areShownInConflict() async throws {
            try await conflict { scene in
                try await scene.shows(siblings: ["v2", "v3"], text: #"y\nz\n"#, conflicts: "[\(Self.both)]")
            }
        }

        @Test func case04_response_coversOnlyVersionsItsClientSaw() async throws {
            try await conflict { scene in
                for (dot, text) in [("v2", #"y\n"#), ("v3", #"z\n"#)] {
                    try await scene.ask(
                        "reader", "note.get", #"{"id":"\#(Scene.id)","at":"<\#(dot)>"}"#,
                        is: #"{"note":{"version":"<\#(dot)>","text":"\#(text)","conflicts":[],"…":"…"}}"#)
                }
                try await scene.ask(
                    "reader", "note.history", #"{"id":"\#(Scene.id)"}"#,
                    is: #"{"revisions":[{"dot":"<v3>","parents":["<v1>"],"version":"<v3>","…":"…"},"#
                        + #"{"dot":"<v2>","parents":["<v1>"],"version":"<v2>","…":"…"},"#
                        + #"{"dot":"<v1>","parents":[],"…":"…"}],"next":null}"#)
            }
        }

        @Test func case05_writeOnResponse_keepsTheOther() async throws {
            try await conflict { scene in
                let sides = textConflict(0..<5, id: "conflict", base: #"x\n"#, [("v2", #"y\n"#), ("v4", #"z2\n"#)])
                try await scene.save(
                    "c2", on: "v3", #"z2\n"#, is: "conflicted", as: "v4",
                    shown: #"{"text":"y\nz2\n","conflicts":[\#(sides)],"…":"…"}"#)
                try await scene.shows(siblings: ["v2", "v4"], text: #"y\nz2\n"#, conflicts: "[\(sides)]")
            }
        }

        @Test func case06_writeAfterSeeingBoth_supersedesBoth() async throws {
            try await conflict { scene in
                try await scene.save("c2", on: "both", #"w\n"#, is: "saved", as: "v4")
                try await scene.shows(siblings: ["v4"], text: #"w\n"#)
            }
        }

        @Test func case07_blindWrite_dropsNothing() async throws {
            try await scene { scene in
                try await scene.save(
                    "c2", on: "", #"y\n"#, is: "merged", as: "v2", shown: #"{"text":"x\ny\n","conflicts":[],"…":"…"}"#)
                try await scene.shows(siblings: ["v1", "v2"], text: #"x\ny\n"#)
            }
        }

        @Test func case08_blindWrite_thenWriteOnTheFirst() async throws {
            try await scene { scene in
                try await scene.save("c2", on: "", #"y\n"#, is: "merged", as: "v2", shown: #""<any>""#)
                let sides = textConflict(0..<4, base: "", [("v2", #"y\n"#), ("v3", #"z\n"#)])
                try await scene.save(
                    "c1", on: "v1", #"z\n"#, is: "conflicted", as: "v3", shown: #"{"conflicts":[\#(sides)],"…":"…"}"#)
                try await scene.shows(siblings: ["v2", "v3"], text: #"z\ny\n"#, conflicts: "[\(sides)]")
            }
        }

        @Test func case09_staleEditor_overwritesNothing() async throws {
            try await scene { scene in
                try await scene.save("c1", on: "v1", #"y\n"#, is: "saved", as: "v2")
                try await scene.save("c1", on: "v2", #"y2\n"#, is: "saved", as: "v3")
                let sides = textConflict(0..<5, base: #"x\n"#, [("v3", #"y2\n"#), ("v4", #"z\n"#)])
                try await scene.save(
                    "old", on: "v1", #"z\n"#, is: "conflicted", as: "v4", shown: #"{"conflicts":[\#(sides)],"…":"…"}"#)
                try await scene.shows(siblings: ["v3", "v4"], text: #"y2\nz\n"#, conflicts: "[\(sides)]")
            }
        }

        @Test func case10_repeatedWrite_isShownOnce_andIsOneWithAnOp() async throws {
            try await scene { scene in
                try await scene.save("c1", on: "v1", #"y\n"#, is: "saved", as: "v2")
                try await scene.save(
                    "c1", on: "v1", #"y\n"#, is: "saved", as: "v3",
                    shown: #"{"version":"<both>","edits":[],"conflicts":[],"text":"y\n"}"#)
                try await scene.shows(siblings: ["v2", "v3"], text: #"y\n"#)
                try await scene.save("c1", on: "now", #"z\n"#, #","op":"once""#, is: "saved", as: "v4")
                try await scene.ask(
                    "c1", "note.save", #"{"id":"\#(Scene.id)","base":"<now>","text":"z\n","op":"once"}"#,
                    is: #"{"outcome":"saved","dot":"<v4>","version":"<v4>","replayed":true}"#)
                try await scene.shows(siblings: ["v4"], text: #"z\n"#)
            }
        }

        @Test func case11_oneReadLate_makesAtMostTwoSiblings() async throws {
            try await scene { scene in
                var lastRead = ""
                for number in 1...100 {
                    let note = try await scene.ask("reader", "note.get", #"{"id":"\#(Scene.id)"}"#)["result"]?["note"]
                    #expect(note?["siblings"].map { $0.elements.reduce(0) { count, _ in count + 1 } } ?? 3 <= 2)
                    #expect(note?["conflicts"].map { $0.elements.reduce(0) { count, _ in count + 1 } } ?? 2 <= 1)
                    let read = try #require(note?["version"]?.string).description
                    if number > 1 {
                        let text = try #require(note?["text"]?.string).description
                        #expect(text.contains("\(number - 1)\n"), "acknowledged text is shown")
                    }
                    let answer = try await scene.ask(
                        "c\(number % 2)", "note.save",
                        #"{"id":"\#(Scene.id)","base":"\#(lastRead)","text":"\#(number)\n"}"#)
                    let dot = try #require(answer["result"]?["dot"]?.string)
                    #expect(answer["result"]?["version"]?.string == dot)
                    lastRead = read
                }
            }
        }

        @Test func case12_deletion() async throws {
            try await scene { scene in
                try await scene.delete("c1", on: "v1", as: "v2")
                try await scene.shows(siblings: ["v2"], text: "", isDeleted: true)
            }
        }

        @Test func case13_editConcurrentWithDeletion_keepsTheNote() async throws {
            try await scene { scene in
                try await scene.delete("c1", on: "v1", as: "v2")
                let sides = Self.deletion(fullSide("v2", #""deleted":true"#), fullSide("v3", #""text":"y\n""#))
                try await scene.save(
                    "c2", on: "v1", #"y\n"#, is: "conflicted", as: "v3",
                    shown: #"{"text":"y\n","conflicts":[\#(sides)],"…":"…"}"#)
                try await scene.shows(siblings: ["v2", "v3"], text: #"y\n"#, conflicts: "[\(sides)]")
            }
        }

        @Test func case14_oppositeOrder_isTheSame() async throws {
            try await scene { scene in
                try await scene.save("c2", on: "v1", #"y\n"#, is: "saved", as: "v2")
                let sides = Self.deletion(fullSide("v2", #""text":"y\n""#), fullSide("v3", #""deleted":true"#))
                try await scene.delete(
                    "c1", on: "v1", is: "conflicted", as: "v3",
                    shown: #"{"version":"<any>","text":"y\n","conflicts":[\#(sides)]}"#)
                try await scene.shows(siblings: ["v2", "v3"], text: #"y\n"#, conflicts: "[\(sides)]")
            }
        }

        private static func deletion(_ sides: String...) -> String {
            #"{"id":"<conflict>","kind":"deletion","range":{"start":0,"end":2},"base":null,"sides":["#
                + sides.joined(separator: ",") + "]}"
        }
    }
}

// MARK: - Deletion, resolving, other runs

extension EndToEnd.CausalityCaseTests {
    @Test func case15_twoDeletions() async throws {
        try await scene { scene in
            try await scene.delete("c1", on: "v1", as: "v2")
            try await scene.delete(
                "c2", on: "v1", as: "v3", shown: #"{"version":"<both>","conflicts":[],"text":"","deleted":true}"#)
            try await scene.shows(siblings: ["v2", "v3"], text: "", isDeleted: true)
        }
    }

    @Test func case16_writeAfterSeeingDeletion_restores() async throws {
        try await scene { scene in
            try await scene.delete("c1", on: "v1", as: "v2")
            try await scene.save("c2", on: "v2", #"new\n"#, is: "saved", as: "v3")
            try await scene.shows(siblings: ["v3"], text: #"new\n"#)
        }
    }

    @Test func case17_blindWriteBesideTombstone_isShown() async throws {
        try await scene { scene in
            try await scene.delete("c1", on: "v1", as: "v2")
            try await scene.save("c2", on: "", #"new\n"#, is: "conflicted", as: "v3", shown: #""<any>""#)
            try await scene.shows(
                siblings: ["v2", "v3"], text: #"new\nx\n"#,
                conflicts: #"[{"kind":"deletion","sides":[\#(fullSide("v2", #""deleted":true"#)),"#
                    + #"\#(fullSide("v3", #""text":"new\n""#))],"…":"…"}]"#)
        }
    }

    @Test func case25_resolutionConcurrentWithEditOfASide() async throws {
        try await conflict { scene in
            try await scene.save("c1", on: "both", #"w\n"#, is: "saved", as: "v4")
            try await scene.save(
                "c2", on: "v3", #"z2\n"#, is: "conflicted", as: "v5", shown: #"{"text":"w\nz2\n","…":"…"}"#)
            try await scene.shows(
                siblings: ["v4", "v5"], text: #"w\nz2\n"#,
                conflicts: #"[{"kind":"text","range":{"start":0,"end":5},"sides":[\#(fullSide("v4", #""text":"w\n""#)),"#
                    + #"\#(fullSide("v5", #""text":"z2\n""#))],"…":"…"}]"#)
        }
    }

    @Test func case26_unknownBaseOfAnotherReplica_isNotRetryable() async throws {
        try await scene { scene in
            for (base, known) in [("ffffffffffffffff:1", ""), ("V1 ffffffffffffffff:1", "<v1>")] {
                let version = try #require(scene.words.meaning(of: "v1"))
                try await scene.refuses(
                    "c1", "note.save", #"{"id":"\#(Scene.id)","base":"\#(base.replacing("V1", with: version))","text":"y\n"}"#,
                    is: #"{"code":2003,"message":"<any>","data":{"kind":"unknown_base","retryable":false,"known":"\#(known)"}}"#)
            }
            try await scene.shows(siblings: ["v1"], text: #"x\n"#)
        }
    }

    @Test func case36_unknownBaseOfThisRun_isNotRetryable() async throws {
        try await scene { scene in
            let version = try #require(scene.words.meaning(of: "v1"))
            let replica = try #require(version.split(separator: ":").first)
            try await scene.refuses(
                "c1", "note.save", #"{"id":"\#(Scene.id)","base":"\#(version) \#(replica):7","text":"y\n"}"#,
                is: #"{"code":2003,"message":"<any>","data":{"kind":"unknown_base","retryable":false,"known":"<v1>"}}"#)
            try await scene.shows(siblings: ["v1"], text: #"x\n"#)
        }
    }

    @Test func case38_writeAfterSeeingOne_keepsTheOther() async throws {
        try await conflict { scene in
            let sides = textConflict(0..<4, base: #"x\n"#, [("v3", #"z\n"#), ("v4", #"w\n"#)])
            try await scene.save(
                "c1", on: "v2", #"w\n"#, is: "conflicted", as: "v4", shown: #"{"conflicts":[\#(sides)],"…":"…"}"#)
            try await scene.shows(siblings: ["v3", "v4"], text: #"w\nz\n"#, conflicts: "[\(sides)]")
        }
    }

    @Test func case40_editOfOneOfTwoEqualSaves_conflicts() async throws {
        try await scene { scene in
            try await scene.save("c1", on: "v1", #"one\ntwo\nthree\n"#, is: "saved", as: "v2")
            let note = #"{"version":"<both>","edits":[],"conflicts":[],"text":"one\nTWO two\nthree\n"}"#
            for (client, dot, note) in [("c1", "v3", nil), ("c2", "v4", note)] {
                try await scene.save(client, on: "v2", #"one\nTWO two\nthree\n"#, is: "saved", as: dot, shown: note)
            }
            try await scene.shows(siblings: ["v3", "v4"], text: #"one\nTWO two\nthree\n"#)
            let sides = textConflict(4..<14, base: #"two\n"#, [("v3", #"TWO two\n"#), ("v5", #"w\n"#)])
            try await scene.save(
                "c2", on: "v4", #"one\nw\nthree\n"#, is: "conflicted", as: "v5", shown: #"{"conflicts":[\#(sides)],"…":"…"}"#)
            try await scene.shows(siblings: ["v3", "v5"], text: #"one\nw\nTWO two\nthree\n"#, conflicts: "[\(sides)]")
        }
    }
}

// MARK: - An id for each run

extension EndToEnd.CausalityCaseTests {
    @Test func case19_counter_isNotReusedUnderItsReplica() async throws {
        try await scene { scene in
            try await scene.delete("c1", on: "v1", as: "v2")
            try await scene.crash()
            try await scene.save("c1", on: "v2", #"new\n"#, is: "saved", as: "v3")
            let replicas = ["v1", "v2", "v3"].compactMap { scene.words.meaning(of: $0)?.split(separator: ":").first }
            #expect(replicas.count == 3 && replicas[0] == replicas[1] && replicas[1] != replicas[2])
            try await scene.shows(siblings: ["v3"], text: #"new\n"#)
        }
    }

    /// Restores the store as it was after its first write. It continues under a new replica id, so
    /// no new write reuses a lost dot.
    @Test func case33_restoredBackup_writesUnderNewReplica() async throws {
        try await restored { scene in
            try await scene.shows(siblings: ["v1"], text: #"x\n"#)
            try await scene.save("c2", on: "v1", #"z\n"#, is: "saved", as: "v4")
            let dots = ["v2", "v3", "v4"].compactMap { scene.words.meaning(of: $0) }
            #expect(Set(dots).count == 3)
            #expect(dots[1].split(separator: ":").first != dots[2].split(separator: ":").first)
            try await scene.shows(siblings: ["v4"], text: #"z\n"#)
        }
    }

    @Test func case34_lostDots_areNotCoveredByNewWrites() async throws {
        try await restored { scene in
            for (number, text) in [#"a\n"#, #"b\n"#, #"c\n"#].enumerated() {
                try await scene.save("c2", on: number == 0 ? "v1" : "w\(number)", text, is: "saved", as: "w\(number + 1)")
            }
            try await scene.refuses(
                "c1", "note.save", #"{"id":"\#(Scene.id)","base":"<v3>","text":"y3\n"}"#,
                is: #"{"code":2003,"message":"<any>","data":{"kind":"unknown_base","retryable":false,"known":""}}"#)
            let result = try await scene.ask("c1", "note.get", #"{"id":"\#(Scene.id)"}"#)["result"]
            let vector = result?["note"]?["vector"]?.members.map { "\($0.name):\($0.value.integer ?? 0)" }
            #expect(Set(vector ?? []) == Set(["v1", "w3"].compactMap { scene.words.meaning(of: $0) }))
        }
    }

    @Test func case35_copiesOfAStore_writeUnderSeparateReplicas() async throws {
        try await DaemonProcess.run { daemon in
            var scene = Scene(daemon)
            try await scene.create(#"x\n"#)
            let copy = daemon.scratch.file("copy")
            try await scene.crash { try FileManager.default.copyItem(atPath: daemon.data, toPath: copy) }
            let v1 = try #require(scene.words.meaning(of: "v1"))
            try await DaemonProcess.run(data: copy) { twin in
                var other = Scene(twin)
                let params = #"{"id":"\#(Scene.id)","base":"\#(v1)","text":"y\n"}"#
                let dots = [
                    try await scene.ask("c1", "note.save", params)["result"]?["dot"]?.string,
                    try await other.ask("c1", "note.save", params)["result"]?["dot"]?.string,
                ].compactMap { $0?.description.split(separator: ":").first }
                #expect(dots.count == 2 && dots[0] != dots[1] && !dots.contains { v1.hasPrefix($0) })
            }
        }
    }

    /// A store with one write in its backup and two more made later.
    private func restored(_ body: (inout Scene) async throws -> Void) async throws {
        try await DaemonProcess.run { daemon in
            var scene = Scene(daemon)
            let backup = daemon.scratch.file("backup")
            try await scene.create(#"x\n"#)
            try await scene.crash { try FileManager.default.copyItem(atPath: daemon.data, toPath: backup) }
            try await scene.save("c1", on: "v1", #"y\n"#, is: "saved", as: "v2")
            try await scene.save("c1", on: "v2", #"y2\n"#, is: "saved", as: "v3")
            try await scene.crash {
                try FileManager.default.removeItem(atPath: daemon.data)
                try FileManager.default.copyItem(atPath: backup, toPath: daemon.data)
            }
            try await body(&scene)
        }
    }
}
