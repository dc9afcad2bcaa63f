import TestKit
import Testing

@testable import GuaranteeChecker

/// Tests of each guarantee: one violation, written by hand, is found, and a similar correct history
/// passes.
struct CheckerTests {
    private static let (note, other) = (Transcript.note, Transcript.other)

    /// A correct history: two clients write concurrently, a third reads, one watches and resumes,
    /// one stops reading, one is refused, and the daemon restarts.
    private static var sound: Transcript {
        var all = Transcript()
        for connection in 1...5 { all.open(connection) }
        all.watch(3, cursor: "c0")
        all.synced(3, 1, "c0")
        all.create(1, "‹1.1›\n", "a:1")
        all.changed(3, 2, "c1", "a:1", "‹1.1›\n", "created")
        all.save(1, on: "a:1", "‹1.1›\n‹1.2›\n", "a:2")
        all.ask(
            2, "note.save", #""id":"\#(note)","base":"a:1","text":"‹2.1›\n‹1.1›\n""#,
            #""outcome":"merged","dot":"a:3","version":"a:3","note":{"version":"a:2 a:3","edits":[{"start":20,"end":20,"text":"‹1.2›\n"}],"#
                + #""conflicts":[],"text":"‹2.1›\n‹1.1›\n‹1.2›\n"}"#)
        all.changed(3, 3, "c3", "a:2 a:3", "‹2.1›\n‹1.1›\n‹1.2›\n")
        all.get(2, "a:2 a:3", "‹2.1›\n‹1.1›\n‹1.2›\n")
        all.watch(4, #""since":"c1""#, cursor: "c1")
        all.changed(4, 1, "c3", "a:2 a:3", "‹2.1›\n‹1.1›\n‹1.2›\n")
        all.synced(4, 2, "c3")
        all.add(.stopped, 5)
        all.refuse(1, "note.save", #""id":"\#(note)","text":"‹1.3›\n","op":"x""#, "base_required")
        all.save(1, on: "a:2 a:3", "‹1.1›\n‹1.2›\n", "a:4", #","op":"x""#)
        all.changed(3, 4, "c4", "a:4", "‹1.1›\n‹1.2›\n")
        all.changed(4, 3, "c4", "a:4", "‹1.1›\n‹1.2›\n")
        all.ask(2, "dependents.list", "", #""dependents":[{"dependent":5,"outboxBytes":640}]"#)
        all.add(.resumed, 5)
        return all
    }

    /// - Parameter revisions: the revisions of the note at the end.
    private static func ended(
        _ transcript: Transcript,
        _ revisions: [(String, [String])] = [("a:4", ["a:2", "a:3"]), ("a:3", ["a:1"]), ("a:2", ["a:1"]), ("a:1", [])],
        _ version: String = "a:4", _ text: String = "‹1.1›\n‹1.2›\n"
    ) -> Transcript {
        var all = transcript
        for connection in 1...5 { all.close(connection) }
        all.open(6, run: "b")
        all.get(6, version, text)
        all.history(6, revisions)
        all.get(6, "a:1", "‹1.1›\n", at: "a:1")
        return all
    }

    /// Client 2 adds a line concurrently with client 1. Both tokens are shown, but a line is torn or two
    /// lines are one. After an edit inside a line, nothing is required of lines.
    @Test(arguments: [
        ("‹1.1› a\n‹2.1›\n‹1.2›\n", true), ("‹1.1› a\n‹2.1›‹1.2›\n", false), ("‹1.1›\n a\n‹2.1›\n‹1.2›\n", false),
        ("‹1.1› a\n‹2.1›\n‹1.2›", true),
    ])
    func tornLine_breaksG2(text: String, isSound: Bool) {
        for isEdited in [false, true] {
            var all = Transcript()
            all.open(1)
            all.open(2)
            all.create(1, "‹1.1› a", "a:1")
            all.save(1, on: "a:1", "‹1.1› a\n‹1.2›", "a:2")
            all.save(2, on: "a:1", "‹1.1› a\n‹2.1›", "a:3")
            if isEdited {
                all.refuse(
                    1, "note.edit", #""id":"\#(Self.note)","base":"a:1","edits":[{"start":9,"end":9,"text":""}]"#,
                    "invalid_params")
            }
            all.get(1, "a:2 a:3", text)
            #expect(all.broken == (isSound || isEdited ? [] : [.nothingLost]), "\(all.words)")
            #expect(isSound || isEdited || all.words.contains("torn or glued"), "\(all.words)")
        }
    }

    @Test func soundHistory_keepsAllCheckableGuarantees() {
        let all = Self.ended(Self.sound)
        #expect(all.words == "")
        let verdicts = Checker.verdicts(of: all.history)
        // The last notifications of the watches at the time of the kill are unknown.
        #expect(verdicts.filter { $0.result != .kept }.map(\.guarantee) == [])
        #expect(verdicts.allSatisfy { $0.observations > 0 })
    }

    @Test func emptyRecording_keepsNothing() {
        let verdicts = Checker.verdicts(of: History())
        #expect(verdicts.allSatisfy { $0.result == .notJudged && $0.observations == 0 })
    }

    // MARK: G1 to G3

    @Test func acknowledgedRevision_lostInRestart_breaksG1() {
        let all = Self.ended(Self.sound, [("a:3", ["a:1"]), ("a:2", ["a:1"]), ("a:1", [])], "a:2 a:3", "‹2.1›\n‹1.1›\n‹1.2›\n")
        #expect(all.broken == [.durable], "\(all.words)")
    }

    @Test(arguments: [("‹2.1›\n‹1.1›\n", "is missing"), ("‹2.1›\n‹1.1›\n‹1.2›\n‹1.2›\n", "2 times")])
    func tokenLostOrDoubled_breaksG2(text: String, words: String) {
        var all = Transcript()
        all.open(1)
        all.create(1, "‹1.1›\n", "a:1")
        all.save(1, on: "a:1", "‹1.1›\n‹1.2›\n", "a:2")
        all.save(1, on: "a:1", "‹2.1›\n‹1.1›\n", "a:3")
        all.get(1, "a:2 a:3", text)
        #expect(all.broken == [.nothingLost] && all.words.contains(words), "\(all.words)")
    }

    @Test func revivedToken_breaksG2() {
        var all = Transcript()
        all.open(1)
        all.create(1, "‹1.1›\n‹1.2›\n", "a:1")
        all.save(1, on: "a:1", "‹1.1›\n", "a:2")
        all.save(1, on: "a:1", "‹1.1›\n‹1.2›\n‹1.3›\n", "a:3")
        all.get(1, "a:2 a:3", "‹1.1›\n‹1.2›\n‹1.3›\n")
        #expect(all.broken == [.nothingLost] && all.words.contains("removed it"), "\(all.words)")
    }

    @Test func alteredRevision_breaksG2() {
        var all = Self.sound
        all.get(2, "a:2", "‹1.1›\n‹1.2› \n", at: "a:2")
        #expect(all.broken == [.nothingLost], "\(all.words)")
    }

    @Test func responseWithForeignVersion_breaksG2() {
        var all = Self.sound
        all.ask(
            2, "note.save", #""id":"\#(Self.note)","base":"a:4","text":"‹2.7›\n""#,
            #""outcome":"merged","dot":"a:5","version":"a:4 a:5""#)
        #expect(all.broken.contains(.nothingLost), "\(all.words)")
    }

    @Test func seenRevision_lostInRestart_breaksG3() {
        var all = Self.sound
        all.send(1, "note.save", #""id":"\#(Self.note)","base":"a:4","text":"‹1.9›\n""#)
        all.changed(3, 5, "c5", "a:5", "‹1.9›\n")
        #expect(Self.ended(all).broken == [.durableFirst], "\(Self.ended(all).words)")
    }

    @Test func readAfterResponse_withoutTheWrite_breaksG3() {
        var all = Self.sound
        all.get(2, "a:2 a:3", "‹2.1›\n‹1.1›\n‹1.2›\n")
        #expect(Self.ended(all).broken == [.durableFirst], "\(Self.ended(all).words)")
    }

    @Test func ownWriteShownBeforeResponse_breaksG3() {
        var all = Self.sound
        let id = all.send(3, "note.save", #""id":"\#(Self.note)","base":"a:4","text":"‹3.1›\n""#)
        all.changed(3, 5, "c5", "a:5", "‹3.1›\n")
        all.answer(3, id, #""outcome":"saved","dot":"a:5","version":"a:5""#)
        #expect(all.broken == [.durableFirst], "\(all.words)")
    }

    // MARK: G4 to G7

    @Test func sameStateTwice_breaksG4() {
        var all = Self.sound
        all.changed(3, 5, "c5", "a:4", "‹1.1›\n‹1.2›\n")
        #expect(all.broken == [.ordered], "\(all.words)")
    }

    @Test func olderStateAfterNewer_breaksG4() {
        var all = Self.sound
        all.changed(3, 5, "c5", "a:2", "‹1.1›\n‹1.2›\n")
        // The newest was not sent last.
        #expect(all.broken == [.ordered, .reliable], "\(all.words)")
    }

    @Test func notesOutOfCommitOrder_breakG4() {
        for isRight in [true, false] {
            var all = Transcript()
            for connection in 1...2 { all.open(connection) }
            all.watch(2, cursor: "c0")
            all.synced(2, 1, "c0")
            all.create(1, of: Self.note, "‹1.1›\n", "a:1")
            all.create(1, of: Self.other, "‹1.2›\n", "a:2")
            let (first, second) =
                isRight
                ? ((Self.note, "a:1", "‹1.1›\n"), (Self.other, "a:2", "‹1.2›\n"))
                : ((Self.other, "a:2", "‹1.2›\n"), (Self.note, "a:1", "‹1.1›\n"))
            all.changed(2, 2, "c1", of: first.0, first.1, first.2, "created")
            all.changed(2, 3, "c2", of: second.0, second.1, second.2, "created")
            #expect(all.broken == (isRight ? [] : [.ordered]), "\(all.words)")
        }
    }

    @Test func responsesOutOfOrder_breakG4() {
        var all = Transcript()
        all.open(1)
        let first = all.send(1, "session.ping", "")
        let second = all.send(1, "session.ping", "")
        all.answer(1, second, "")
        all.answer(1, first, "")
        #expect(all.broken == [.ordered], "\(all.words)")
    }

    @Test func skippedSeq_breaksG5() {
        var all = Self.sound
        all.notify(3, "watch.bookmark", #""watch":1,"seq":6,"cursor":"c4""#)
        #expect(all.broken == [.reliable], "\(all.words)")
    }

    @Test func lastStateNeverSent_breaksG5() {
        var all = Self.sound
        all.save(1, on: "a:4", "‹1.8›\n", "a:5")
        all.get(2, "a:5", "‹1.8›\n")
        #expect(all.broken == [.reliable], "\(all.words)")
    }

    @Test func ownWriteOmittedWithoutEcho_isKept() {
        for (writer, isKept) in [(3, true), (1, false)] {
            var all = Transcript()
            for connection in [1, 3] { all.open(connection) }
            all.watch(3, #""snapshot":false,"echo":false"#, cursor: "c0")
            all.synced(3, 1, "c0")
            all.create(writer, "‹1.1›\n", "a:1")
            all.get(1, "a:1", "‹1.1›\n")
            #expect(all.broken == (isKept ? [] : [.reliable]), "\(all.words)")
        }
    }

    @Test func resumptionMissingAChange_breaksG6() {
        var all = Self.sound
        all.open(7)
        all.watch(7, #""since":"c3""#, cursor: "c3")
        all.synced(7, 1, "c4")
        #expect(all.broken == [.resumable], "\(all.words)")
    }

    /// The notification of one change named a cursor after the other change, which was sent later.
    @Test func overtakingCursor_breaksG6() {
        var all = Transcript()
        for connection in 1...3 { all.open(connection) }
        all.watch(2, cursor: "c0")
        all.synced(2, 1, "c0")
        all.create(1, of: Self.note, "‹1.1›\n", "a:1")
        all.create(1, of: Self.other, "‹1.2›\n", "a:2")
        all.changed(2, 2, "c2", of: Self.note, "a:1", "‹1.1›\n", "created")
        all.changed(2, 3, "c3", of: Self.other, "a:2", "‹1.2›\n", "created")
        all.watch(3, #""since":"c2""#, cursor: "c2")
        all.synced(3, 1, "c3")
        #expect(all.broken == [.resumable], "\(all.words)")
    }

    @Test func forgottenCursor_breaksG6() {
        var all = Self.sound
        all.open(7)
        all.watch(7, #""since":"c3""#, cursor: "c0", reset: true)
        all.changed(7, 1, "c4", "a:4", "‹1.1›\n‹1.2›\n", "snapshot")
        all.synced(7, 2, "c4")
        #expect(all.broken == [.resumable], "\(all.words)")
    }

    @Test func outboxOverLimit_breaksG7() {
        var all = Self.sound
        all.add(.stopped, 5)
        all.ask(2, "dependents.list", "", #""dependents":[{"dependent":5,"outboxBytes":1048577}]"#)
        #expect(all.broken == [.isolated], "\(all.words)")
    }

    @Test func watchBlockedByAnother_breaksG7() {
        var all = Self.sound
        all.add(.stopped, 5)
        all.add(.gaveUp("what 6 watches still had to be told"), 0)
        all.add(.resumed, 5)
        #expect(all.broken == [.isolated], "\(all.words)")
    }

    // MARK: G8 to G10

    @Test func twoTextsAtOneVersion_breakG8() {
        var all = Self.sound
        all.get(1, "a:2 a:3", "‹2.1›\n‹1.1› \n‹1.2›\n", at: "a:2 a:3")
        #expect(all.broken == [.convergent], "\(all.words)")
    }

    @Test func editsWithWrongResult_breakG8() {
        var all = Self.sound
        all.ask(
            2, "note.get", #""id":"\#(Self.note)","from":"a:1","at":"a:2 a:3""#,
            #""note":{"id":"\#(Self.note)","version":"a:2 a:3","edits":[{"start":0,"end":0,"text":"‹2.1›\n"}]}"#)
        #expect(all.broken.contains(.convergent), "\(all.words)")
    }

    @Test func repeatedDot_breaksG9() {
        var all = Self.sound
        all.create(1, of: Self.other, "‹1.6›\n", "a:4")
        #expect(all.broken == [.identity], "\(all.words)")
    }

    @Test func refusedText_whenShown_breaksG10() {
        var all = Self.sound
        all.refuse(1, "note.save", #""id":"\#(Self.note)","base":"a:4","text":"‹1.1›\n‹1.2›\n‹1.7›\n""#, "overloaded")
        all.get(2, "a:4 a:5", "‹1.1›\n‹1.2›\n‹1.7›\n")
        #expect(all.broken == [.refusedWhole], "\(all.words)")
    }

    @Test func refusedWrite_withRevision_breaksG10() {
        var all = Self.sound
        all.refuse(1, "note.save", #""id":"\#(Self.note)","base":"a:4","text":"‹1.7›\n""#, "overloaded")
        let ended = Self.ended(
            all, [("a:5", ["a:4"]), ("a:4", ["a:2", "a:3"]), ("a:3", ["a:1"]), ("a:2", ["a:1"]), ("a:1", [])])
        #expect(ended.broken == [.refusedWhole], "\(ended.words)")
    }

    /// An unanswered write may have been applied: a revision with that text on that base is its
    /// own.
    @Test func unansweredWrite_withRevision_isKept() {
        var all = Self.sound
        all.send(1, "note.save", #""id":"\#(Self.note)","base":"a:4","text":"‹1.7›\n""#)
        let ended = Self.ended(
            all, [("a:5", ["a:4"]), ("a:4", ["a:2", "a:3"]), ("a:3", ["a:1"]), ("a:2", ["a:1"]), ("a:1", [])], "a:5", "‹1.7›\n")
        #expect(ended.words == "")
    }

    @Test func opOfRefusedWrite_whenUsedUp_breaksG10() {
        var all = Self.sound
        all.refuse(1, "note.save", #""id":"\#(Self.note)","text":"‹1.7›\n","op":"y""#, "base_required")
        all.refuse(
            1, "note.save", #""id":"\#(Self.note)","base":"a:4","text":"‹1.8›\n","op":"y""#, "invalid_params", path: "params.op")
        #expect(all.broken == [.refusedWhole], "\(all.words)")
    }

    @Test func opExecutedTwice_breaksG10() {
        var all = Self.sound
        for dot in ["a:5", "a:6"] { all.save(1, on: "a:4", "‹1.1›\n‹1.5›\n", dot, #","op":"z""#) }
        #expect(all.broken.contains(.refusedWhole), "\(all.words)")
    }
}
