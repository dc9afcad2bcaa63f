import NotesModel
import Testing

@testable import FolderSync

/// Tests of what a save took out (R13).
struct TakenLinesTests {
    private let plan = ["# Garden plan", "first paragraph about soil", "second paragraph about seeds"]

    /// The number of lines that a text takes out of its base.
    private func count(_ text: [String], in file: ShownFile, how way: BaseRule.Way = .other) -> Int {
        file.taken(by: text, how: way)?.count ?? 0
    }

    @Test func linesOfTheNotes_areTakenOut() throws {
        var file = ShownFile(plan)
        file.put(plan + ["remark one by Ada", "remark two by Ada", ""])
        let came = file.shown.entries[1].time
        #expect(file.taken(by: plan) == nil, "the writer had not seen them")
        #expect(file.taken(by: plan + ["remark two by Ada"]) == TakenLines(count: 1, came: Timestamp(milliseconds: came)))
        #expect(count(plan + ["remark two by Ada", "a line more", "remark one by Ada"], in: file) == 0, "moved")
        #expect(count(plan + ["remark one by Ada, and me", "remark two by Ada"], in: file) == 0, "altered")
        #expect(count(plan.dropLast() + ["remark one by Ada", "remark two by Ada"], in: file) == 0, "an older line")
        #expect(count(plan + ["remark two by Ada"], in: file, how: .git) == 0)
        file.time += ShownTexts.dayTime
        #expect(count(plan + ["remark two by Ada"], in: file) == 0, "a day later")
    }

    /// An undo and a stale buffer leave the same text. A text with another line of the same save shows that its
    /// writer had both.
    @Test func linesOfAProgram_areTakenOutOnlyIfTheTextDoesNotShowThatItsWriterHadThem() {
        var file = ShownFile(plan)
        file.save(plan + ["an agent's paragraph", "and its second one"])
        #expect(count(plan, in: file) == 2)
        #expect(count([], in: file) == 2)
        #expect(count(plan + ["and its second one"], in: file) == 0)
    }

    @Test func firstTextOfAFile_counts() {
        let file = ShownFile(noFileBefore: plan)
        #expect(count(Array(plan.dropLast()), in: file) == 1)
        #expect(count(plan, in: file) == 0)
    }
}
