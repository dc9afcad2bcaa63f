import Causality
import Console
import Glibc
import NotesModel
import NotesSQL
import TestKit
import Testing

@testable import FolderSync
@testable import NoteTasks

/// Tests of the recorded state of mirrors, and of approvals.
struct MirrorRecordsTests {
    private let place = FileRecords.Place(directory: Array("/notes".utf8), store: ReplicaID(bits: 1))

    private func note(_ number: UInt64) -> NoteID { NoteID(at: Timestamp(milliseconds: 0), random: (0, number)) }

    private func record(_ number: UInt64) -> FileRecord {
        FileRecord(note: note(number), version: Version(Dot(ReplicaID(bits: 7), number + 1)), showing: [UInt8(number)])
    }

    private func gone(_ number: UInt64) -> FolderChanges.Gone {
        FolderChanges.Gone(path: Array("\(number).md".utf8), record: record(number))
    }

    private func held(_ number: UInt64) -> MirrorState.Waiting {
        MirrorState.Waiting(path: gone(number).path, kind: .held, reason: "its file is gone", removal: gone(number).removal)
    }

    private func state(_ waiting: [MirrorState.Waiting], at time: Int64 = 1_000) -> MirrorState {
        let now = Timestamp(milliseconds: time)
        let sorted = waiting.sorted { $0.path.lexicographicallyPrecedes($1.path) }
        return MirrorState(looked: now, inStep: waiting.isEmpty ? now : nil, notes: 3, conflicts: 0, waiting: sorted)
    }

    /// Runs a body with the path of an empty database.
    private func withDatabase(_ body: (String) throws -> Void) throws {
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        try DatabaseFile.make(directory.path + "/files.sqlite3")
        try body(directory.path + "/files.sqlite3")
    }

    private func folder(_ path: String) throws -> MirrorRecords.Folder {
        try #require(try MirrorRecords(path: path, isReadOnly: true).folders().first)
    }

    @Test func state_isReadAsItWasKept() throws {
        try withDatabase { path in
            let records = try FileRecords(path: path, place, boot: [1])
            #expect(try MirrorRecords(path: path, isReadOnly: true).folders().isEmpty, "an import is no mirror")
            try records.keep(state([], at: 500))
            try records.record(gone(1).path, record(1))
            var kept = state([
                held(2), MirrorState.Waiting(path: [0xFF], kind: .skipped, reason: "its name is not UTF-8"),
            ])
            kept.failure = "the folder was moved"
            try records.keep(kept)
            kept.inStep = Timestamp(milliseconds: 500)
            #expect(try folder(path).state == kept, "the last time in step stays")
            #expect(try folder(path).files == 1)
            #expect(try records.mirrorState() == kept)
        }
    }

    /// A state that differs in its times only is not written for each save.
    @Test func state_isWrittenAgainOnlyIfItIsNews() throws {
        try withDatabase { path in
            let records = try FileRecords(path: path, place, boot: [1])
            try records.keep(state([], at: 0))
            try records.keep(state([], at: MirrorState.lookedTime - 1))
            #expect(try folder(path).state.looked == Timestamp(milliseconds: 0))
            try records.keep(state([], at: MirrorState.lookedTime))
            #expect(try folder(path).state.looked == Timestamp(milliseconds: MirrorState.lookedTime))
        }
    }

    @Test func approval_coversTheShownRemovalsOnly_andForAnHour() throws {
        try withDatabase { path in
            let records = try FileRecords(path: path, place, boot: [1])
            let now = Timestamp(milliseconds: 10_000)
            try records.keep(state([held(1), held(2)]))
            let shown = try folder(path)
            // Meanwhile, a file is gone that the person has not seen, and another one is back.
            try records.keep(state([held(2), held(3)]))
            let seen = HeldRemovals(shown.state, at: now)
            #expect(seen.removals == [held(1), held(2)])
            let approved = try MirrorRecords(path: path, isReadOnly: false).approve(seen, of: shown, at: now)
            #expect(approved == [held(2)])
            #expect(try records.approvedRemovals(at: now) == [gone(2).path: gone(2).removal])
            #expect(HeldRemovals(try folder(path).state, at: now).removals == [held(3)], "the other one is approved")
            let late = Timestamp(milliseconds: now.milliseconds + MirrorState.approvalTime)
            #expect(try records.approvedRemovals(at: late).isEmpty)

            // The approval outlasts a further look, and ends when the file is back.
            try records.keep(state([held(2), held(3), held(4)]))
            #expect(try records.approvedRemovals(at: now).count == 1)
            try records.keep(state([held(3)]))
            try records.keep(state([held(2), held(3)]))
            #expect(try records.approvedRemovals(at: now).isEmpty)
        }
    }

    /// Sets have one digest only if they have the same paths, notes and versions.
    @Test func digest_tellsSetsApart() {
        func digest(_ waiting: [MirrorState.Waiting]) -> String {
            HeldRemovals(state(waiting), at: Timestamp(milliseconds: 0)).digest
        }
        let first = held(1)
        let path = MirrorState.Waiting(path: Array("1.mdx".utf8), kind: .held, reason: first.reason, removal: first.removal)
        let version = MirrorState.Waiting(
            path: first.path, kind: .held, reason: first.reason,
            removal: first.removal.map { MirrorState.Removal(note: $0.note, version: Version(Dot(ReplicaID(bits: 9), 1))) })
        let other = MirrorState.Waiting(
            path: first.path, kind: .held, reason: first.reason,
            removal: first.removal.map { MirrorState.Removal(note: note(2), version: $0.version) })
        let sets = [[first], [held(2)], [first, held(2)], [first, held(3)], [path], [version], [other]]
        #expect(Set(sets.map(digest)).count == sets.count)
        #expect(sets.allSatisfy { digest($0).utf8.count == 8 })
        let reason = MirrorState.Waiting(path: first.path, kind: .held, reason: "another sentence", removal: first.removal)
        #expect(digest([reason]) == digest([first]))
        let skipped = MirrorState.Waiting(path: [0xFF], kind: .skipped, reason: "its name is not UTF-8")
        #expect(digest([first, skipped]) == digest([first]))
    }

    /// For random sets: without an approval, many removals are all held; an approval lets through what it
    /// names, and never turns the removal of all other files into an ordinary one.
    @Test(arguments: seeds(50))
    func removals_areDividedByApproval(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let recorded = 1 + random.below(200)
        let gone = (0..<(1 + random.below(recorded))).map { self.gone(UInt64($0)) }
        let approved = Dictionary(uniqueKeysWithValues: gone.filter { _ in random.chance(0.5) }.map { ($0.path, $0.removal) })
        let (held, certain) = FolderChanges.divided(gone, approved: approved, of: recorded)
        #expect(held.count + certain.count == gone.count)
        #expect(held.allSatisfy { approved[$0.path] == nil })
        for file in gone where approved[file.path] != nil { #expect(certain.contains(file)) }
        let rest = gone.count - approved.count
        #expect(held.isEmpty == !FolderChanges.isMany(gone: rest, of: recorded - approved.count))
        #expect(
            FolderChanges.divided(gone, approved: [:], of: recorded).held.isEmpty == !FolderChanges.isMany(
                gone: gone.count, of: recorded))

        // A file that was written again and removed again is another removal.
        let others = approved.mapValues { MirrorState.Removal(note: $0.note, version: Version(Dot(ReplicaID(bits: 9), 1))) }
        #expect(
            FolderChanges.divided(gone, approved: others, of: recorded)
                == FolderChanges.divided(gone, approved: [:], of: recorded))
    }

    @Test func forget_removesTheFolderAlone() throws {
        try withDatabase { path in
            var other = place
            other.directory = Array("/notes/other".utf8)
            for place in [place, other] {
                let records = try FileRecords(path: path, place, boot: [1])
                try records.record(gone(1).path, record(1))
                try records.keep(state([held(2)]))
            }
            let records = try MirrorRecords(path: path, isReadOnly: false)
            #expect(try records.forget(place.directory) == 1)
            #expect(try records.forget(place.directory) == nil)
            #expect(try records.folders().map(\.path) == [other.directory])
            #expect(try FileRecords(path: path, place, boot: [1]).files.isEmpty)
            #expect(try FileRecords(path: path, other, boot: [1]).files.count == 1)
        }
    }

    /// Records of another version of notesctl are neither used nor changed, so no file counts as never imported.
    @Test(arguments: [-1, 1, RecordsSchema.format - 2, RecordsSchema.format + 1])
    func recordsOfAnotherFormat_areRefused(format: Int64) throws {
        try withDatabase { path in
            do {
                let records = try FileRecords(path: path, place, boot: [1])
                try records.record(gone(1).path, record(1))
                try records.keep(state([held(2)]))
            }
            try Database(path: path).run("PRAGMA user_version = \(format)")
            #expect(throws: SQLFault.self) { try FileRecords(path: path, place, boot: [1]) }
            #expect(throws: SQLFault.self) { try MirrorRecords(path: path, isReadOnly: false) }
            let records = try MirrorRecords(path: path, isReadOnly: true)
            let failure = #expect(throws: ExitFailure.self) { try records.folders() }
            #expect(failure?.message.contains("another version of notesctl wrote it, in format \(format)") == true)
            #expect(throws: ExitFailure.self) { try records.choices(of: place.directory, place.store) }
            #expect(throws: ExitFailure.self) { try records.folders(below: place) }
            try Database(path: path).run("PRAGMA user_version = \(RecordsSchema.format)")
            #expect(try FileRecords(path: path, place, boot: [1]).files == [gone(1).path: record(1)])
            #expect(try folder(path).state == state([held(2)]))
        }
    }

    /// The records of the format before this one stay, and nobody has chosen files.
    @Test(arguments: [false, true]) func recordsWithoutFiles_areUpgraded(isReadFirst: Bool) throws {
        try withDatabase { path in
            do {
                let records = try FileRecords(path: path, place, boot: [1])
                try records.record(gone(1).path, record(1))
                try records.keep(state([held(2)]))
            }
            do {
                let database = try Database(path: path)
                for column in ["files", "files_bytes_max"] { try database.run("ALTER TABLE place DROP COLUMN \(column)") }
                try database.run("PRAGMA user_version = \(RecordsSchema.format - 1)")
            }
            if isReadFirst { #expect(try folder(path).choice == nil) }
            let records = try FileRecords(path: path, place, boot: [1])
            #expect(records.files == [gone(1).path: record(1)])
            #expect(records.choice == nil)
            let choice = FileChoice(kinds: .all, bytesMax: 7)
            try records.choose(choice)
            #expect(try FileRecords(path: path, place, boot: [1]).choice == choice)
            #expect(try folder(path).choice == choice)
            #expect(try folder(path).state == state([held(2)]))
        }
    }

    /// A status of records that no command has used yet changes nothing.
    @Test func emptyRecords_haveNoFolders() throws {
        try withDatabase { path in
            #expect(try MirrorRecords(path: path, isReadOnly: true).folders().isEmpty)
            #expect(try MirrorRecords(path: path, isReadOnly: true).choices(of: place.directory, place.store) == nil)
            let isThere = try RecordsSchema.isThere(in: Database(path: path))
            #expect(!isThere)
        }
    }

    @Test func statusTable_saysWhatToDo() throws {
        var state = state([
            held(1),
            MirrorState.Waiting(path: Array("b\u{1B}.md".utf8), kind: .skipped, reason: "its name is not UTF-8; rename the file"),
        ])
        state.conflicts = 1
        let table = MirrorStatusTable(
            now: Timestamp(milliseconds: 2_000),
            local: { _ in CalendarTime(year: 2026, month: 11, dayOfMonth: 26, hour: 8, minute: 15, second: 7) },
            style: Style(isOn: false))
        let taken = MirrorRecords.Taken(
            path: Array("a\u{1B}.md".utf8), time: Timestamp(milliseconds: 1_000),
            lines: TakenLines(count: 2, came: Timestamp(milliseconds: 500)))
        let folder = MirrorRecords.Folder(
            place: 1, path: place.directory, files: 4, choice: FileChoice.none, state: state, taken: [taken])
        let digest = HeldRemovals(state, at: table.now).digest
        #expect(
            table.lines(folder, isRunning: false, isThere: false) == [
                "/notes: not in step, 3 notes, 4 files, 1 in conflict; see `notesctl conflicts`",
                "  no mirror is running; `notesctl mirror /notes` starts one; it was never in step",
                "  the folder is not there; mount its disk or move it back",
                "  1 gone or empty; if that is right, `notesctl mirror approve /notes --set \(digest)` deletes or empties the notes; "
                    + "otherwise put the files back:",
                "    1.md",
                "  1 skipped:",
                "    b\\x1B.md: its name is not UTF-8; rename the file",
                "  1 save of the last day took out lines that had just come; `notesctl history NAME` has them:",
                "    2026-11-26 08:15:07 a\\x1B.md: 2 lines of 2026-11-26 08:15:07",
            ])
        var calm = self.state([])
        calm.inStep = calm.looked
        #expect(
            table.lines(MirrorRecords.Folder(place: 1, path: [0x2F], files: 1, state: calm), isRunning: true, isThere: true) == [
                "/: in step, 3 notes, 1 file", "  a mirror is running; last in step: 2026-11-26 08:15:07",
                "  pictures and other files are left out; `notesctl mirror --files known /` takes them",
            ])
    }

    @Test func takenLines_areListedForADay() throws {
        try withDatabase { path in
            let records = try FileRecords(path: path, place, boot: [1])
            try records.keep(state([]))
            let now = Clock.now()
            let old = Timestamp(milliseconds: now.milliseconds - 86_400_000)
            func lines(_ count: Int) -> TakenLines { TakenLines(count: count, came: old) }
            try records.tookOut(lines(1_000), of: bytes("old.md"), at: old)
            for count in 1...101 { try records.tookOut(lines(count), of: bytes("a.md"), at: now) }
            let taken = try folder(path).taken
            #expect(taken.map(\.lines.count) == Array((2...101).reversed()))
            #expect(taken.first == MirrorRecords.Taken(path: bytes("a.md"), time: now, lines: lines(101)))
            #expect(try MirrorRecords(path: path, isReadOnly: false).forget(place.directory) == 0)
        }
    }

    @Test func longLists_areCut() {
        let waiting = (0..<100).map { held(UInt64($0)) }
        let folder = MirrorRecords.Folder(
            place: 1, path: place.directory, files: 4, choice: FileChoice.none, state: state(waiting))
        let table = MirrorStatusTable(
            now: Timestamp(milliseconds: 2_000),
            local: { _ in CalendarTime(year: 2026, month: 11, dayOfMonth: 26, hour: 8, minute: 15, second: 7) },
            style: Style(isOn: false))
        let lines = table.lines(folder, isRunning: true, isThere: true)
        #expect(lines.count == 2 + 1 + MirrorStatusTable.pathsMax + 1)
        #expect(lines.last == "    and 80 more; --json lists all")
    }
}
