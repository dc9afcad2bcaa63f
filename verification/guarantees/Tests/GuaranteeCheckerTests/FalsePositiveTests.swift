import Testing

@testable import GuaranteeChecker

/// Histories that look like a violation and are none: each was once reported for a daemon that
/// followed the protocol. Beside some of them is a similar history with a violation.
struct FalsePositiveTests {
    private static let (note, other) = (Transcript.note, Transcript.other)

    // MARK: Kept lines

    /// An edit keeps the line that another client's save removes, unless the edit was shown to that client.
    @Test(arguments: [false, true])
    func lineThatSomebodyTypedIn_mayStay(isShown: Bool) {
        var all = Transcript()
        all.open(1)
        all.create(1, "‹1.1›\n‹1.2›\n", "a:1")
        all.get(1, "a:1", "‹1.1›\n‹1.2›\n")
        all.edit(1, on: "a:1", at: 9, " ‹1.3›", "a:2")
        all.save(1, on: isShown ? "a:2" : "a:1", "‹1.2›\n", "a:3")
        all.get(1, isShown ? "a:3" : "a:2 a:3", "‹1.1› ‹1.3›\n‹1.2›\n")
        #expect(all.broken == (isShown ? [.nothingLost] : []), "\(all.words)")
    }

    /// A token that may have been kept and was not shown is not removed by the next write, so an undo of
    /// the removal brings it back.
    @Test func tokenThatTheBaseLacked_isNotRemovedAgain() {
        var all = Transcript()
        all.open(1)
        all.create(1, "‹1.1›\n‹1.2›\n", "a:1")
        all.get(1, "a:1", "‹1.1›\n‹1.2›\n")
        all.edit(1, on: "a:1", at: 19, " ‹1.3›", "a:2")
        all.save(1, on: "a:1", "‹1.2›\n", "a:3")
        all.get(1, "a:2 a:3", "‹1.2› ‹1.3›\n")
        all.save(1, on: "a:2 a:3", "‹1.2› ‹1.3›\n‹1.4›\n", "a:4")
        all.undo(1, on: "a:4", ["a:3"], "a:5")
        all.get(1, "a:5", "‹1.1›\n‹1.2› ‹1.3›\n‹1.4›\n")
        #expect(all.broken == [], "\(all.words)")
    }

    // MARK: Double deletions

    /// Two clients delete the same text. A watch without tombstones receives the first deletion, or
    /// none if the note was deleted when it began; so a cursor sent then tells nothing about the
    /// other. Changes of existing notes are sent all the same.
    @Test(arguments: [(false, true), (true, true), (false, false), (true, false)])
    func repeatedDeletion_isSentOnce(isDeletedBefore: Bool, isDeletedAgain: Bool) {
        var all = Transcript()
        for connection in 1...3 { all.open(connection) }
        all.create(1, "‹1.1›\n", "a:1")
        if isDeletedBefore { all.delete(1, on: "a:1", "a:2") }
        all.watch(2, cursor: "c0")
        all.synced(2, 1, "c0")
        if !isDeletedBefore {
            all.delete(1, on: "a:1", "a:2")
            all.changed(2, 2, "c2", "a:2", "", "deleted")
        }
        if isDeletedAgain { all.delete(1, on: "a:1", "a:3") } else { all.save(1, on: "a:1", "‹1.1›\n‹1.2›\n", "a:3") }
        all.create(1, of: Self.other, "‹1.3›\n", "a:4")
        all.changed(2, isDeletedBefore ? 2 : 3, "c4", of: Self.other, "a:4", "‹1.3›\n", "created")
        all.watch(3, #""since":"c4""#, cursor: "c4")
        all.synced(3, 1, "c4")
        #expect(all.broken == (isDeletedAgain ? [] : [.resumable]), "\(all.words)")
    }

    /// The first of three connections watches without echo.
    private static func withoutEcho() -> Transcript {
        var all = Transcript()
        for connection in 1...3 { all.open(connection) }
        all.watch(1, #""echo":false"#, cursor: "c0")
        all.synced(1, 1, "c0")
        all.create(2, "‹2.1›\n", "a:1")
        all.changed(1, 2, "c1", "a:1", "‹2.1›\n", "created")
        return all
    }

    @Test func deletionWithoutEcho_hidesConcurrentDeletion() {
        var all = Self.withoutEcho()
        all.delete(1, on: "a:1", "a:2")
        all.delete(2, on: "a:1", "a:3")
        all.get(3, "a:2 a:3", "", isDeleted: true)
        #expect(all.broken == [], "\(all.words)")
    }

    @Test func restoredNoteWithoutEcho_hidesForeignDeletion() {
        var all = Self.withoutEcho()
        all.delete(1, on: "a:1", "a:2")
        all.delete(2, on: "a:1", "a:3")
        all.save(1, on: "a:2", "‹1.1›\n", "a:4")
        all.get(3, "a:3 a:4", "‹1.1›\n")
        #expect(all.broken == [], "\(all.words)")
    }

    /// The write of another client must be sent all the same.
    @Test(arguments: [true, false])
    func sentDeletionWithoutEcho_hidesAnother(isDeletion: Bool) {
        var all = Self.withoutEcho()
        all.delete(2, on: "a:1", "a:2")
        all.changed(1, 3, "c2", "a:2", "", "deleted")
        if isDeletion { all.delete(3, on: "a:1", "a:3") } else { all.save(3, on: "a:2", "‹3.1›\n", "a:3") }
        all.save(1, on: "a:2", "‹1.1›\n", "a:4")
        all.get(3, "a:3 a:4", isDeletion ? "‹1.1›\n" : "‹3.1›\n‹1.1›\n")
        #expect(all.broken == (isDeletion ? [] : [.reliable]), "\(all.words)")
    }

    /// The snapshot does not contain tombstones. Earlier writes of others are no news when an own
    /// write restores the note.
    @Test(arguments: [true, false])
    func restoringOwnWrite_isOmittedWithoutEcho(isBeforeTheWatch: Bool) {
        func deleteAgain(_ all: inout Transcript) {
            all.save(2, on: "a:1", "‹2.1›\n‹2.2›\n", "a:3")
            all.delete(2, on: "a:2 a:3", "a:4")
        }
        var all = Transcript()
        for connection in 1...3 { all.open(connection) }
        all.create(2, "‹2.1›\n", "a:1")
        all.delete(2, on: "a:1", "a:2")
        if isBeforeTheWatch { deleteAgain(&all) }
        all.watch(1, #""echo":false"#, cursor: "c0")
        all.synced(1, 1, "c0")
        if !isBeforeTheWatch { deleteAgain(&all) }
        all.save(1, on: "a:1", "‹2.1›\n‹1.1›\n", "a:5")
        all.get(3, "a:4 a:5", "‹2.1›\n‹2.2›\n‹1.1›\n")
        #expect(all.broken == (isBeforeTheWatch ? [] : [.reliable]), "\(all.words)")
    }

    /// Similar changes that must be sent: the only deletion, one that was acknowledged before the
    /// own one, a note that always existed.
    @Test func missingForeignChangeWithoutEcho_breaksG5() {
        var only = Transcript()
        for connection in 1...3 { only.open(connection) }
        only.watch(1, #""echo":false"#, cursor: "c0")
        only.synced(1, 1, "c0")
        only.create(1, "‹1.1›\n", "a:1")
        only.delete(2, on: "a:1", "a:2")
        only.save(1, on: "a:1", "‹1.1›\n‹1.2›\n", "a:3")
        only.get(3, "a:2 a:3", "‹1.1›\n‹1.2›\n")
        #expect(only.broken == [.reliable], "\(only.words)")

        var earlier = Self.withoutEcho()
        earlier.delete(2, on: "a:1", "a:2")
        earlier.delete(1, on: "a:1", "a:3")
        earlier.get(3, "a:2 a:3", "", isDeleted: true)
        #expect(earlier.broken == [.reliable], "\(earlier.words)")

        var snapshot = Transcript()
        for connection in 1...3 { snapshot.open(connection) }
        snapshot.create(2, "‹2.1›\n", "a:1")
        snapshot.watch(1, #""echo":false"#, cursor: "c0")
        snapshot.synced(1, 1, "c0")
        snapshot.get(3, "a:1", "‹2.1›\n")
        #expect(snapshot.broken == [.reliable], "\(snapshot.words)")
    }

    // MARK: Unanswered writes

    /// An unanswered write exists after a restart, and others extend it.
    private static func withAnUnansweredWrite() -> Transcript {
        var all = Transcript()
        for connection in 1...2 { all.open(connection) }
        all.create(1, "‹1.1›\n", "a:1")
        all.send(2, "note.save", #""id":"\#(note)","base":"a:1","text":"‹1.1›\n‹2.1›\n""#)
        for connection in 1...2 { all.close(connection) }
        for connection in 3...5 { all.open(connection, run: "b") }
        all.get(3, "a:2", "‹1.1›\n‹2.1›\n")
        all.save(3, on: "a:2", "‹1.1›\n‹2.1›\n‹3.1›\n", "b:1")
        all.get(4, "b:1", "‹1.1›\n‹2.1›\n‹3.1›\n")
        return all
    }

    @Test func unansweredWriteOutsideHistory_isNotChecked() {
        var all = Self.withAnUnansweredWrite()
        #expect(all.broken == [], "\(all.words)")
        // The page that names it was not requested.
        all.history(4, [("b:1", ["a:2"])], next: "b:1")
        #expect(all.broken == [], "\(all.words)")
    }

    /// A write between two pages is on neither, and that is no violation.
    @Test(arguments: [true, false])
    func historyPages_areJoined(isWhole: Bool) {
        var all = Self.withAnUnansweredWrite()
        all.history(4, [("b:1", ["a:2"])], next: "b:1")
        all.history(5, [("b:1", ["a:2"])], next: "b:1")
        all.save(5, on: "b:1", "‹1.1›\n‹2.1›\n‹3.1›\n‹5.1›\n", "b:2")
        all.history(4, isWhole ? [("a:2", ["a:1"]), ("a:1", [])] : [("a:2", ["a:1"])], before: "b:1")
        #expect(all.broken == (isWhole ? [] : [.durable]), "\(all.words)")
    }

    /// Two writes were not answered: one deletes, the other saves nothing. The history identifies
    /// the one that was applied.
    @Test func unansweredDeletion_isNotEmptyText() {
        for isDeletion in [true, false] {
            var all = Transcript()
            for connection in 1...3 { all.open(connection) }
            all.create(1, "‹1.1›\n", "a:1")
            let asked = [("note.delete", ""), ("note.save", #","text":"""#)]
            for (index, (method, more)) in (isDeletion ? asked.reversed() : asked).enumerated() {
                all.send(2 + index, method, #""id":"\#(Self.note)","base":"a:1"\#(more)"#)
            }
            all.save(1, on: "a:1", "‹1.1›\n‹1.2›\n", "a:3")
            for connection in 1...3 { all.close(connection) }
            all.open(4, run: "b")
            all.get(4, "a:2 a:3", isDeletion ? "‹1.1›\n‹1.2›\n" : "‹1.2›\n")
            all.history(4, [("a:3", ["a:1"]), ("a:2", ["a:1"]), ("a:1", [])], deletions: isDeletion ? ["a:2"] : [])
            all.get(4, "a:2", "", at: "a:2", isDeleted: isDeletion)
            #expect(all.broken == [], "\(all.words)")
        }
    }
}
