import Causality
import Testing

@testable import FolderSync

/// Tests of the rule that decides on which text a program made a new one, by the cases of
/// `design/base-rule.md` §3.
struct BaseRuleTests {
    private let plan = [
        "# Garden plan", "first paragraph about soil", "second paragraph about seeds", "third paragraph about water",
    ]

    private func plan(_ old: String, _ new: String) -> [String] { plan.map { $0 == old ? new : $0 } }

    @Test func editorThatSawTheFirstOfTwoLines_isBasedOnIt() {
        var file = ShownFile(plan)
        file.put(plan + ["first line by an agent"])
        file.put(plan + ["first line by an agent", "second line by an agent"])
        file.save(plan + ["first line by an agent", "second line by an agent", "a line by a script"])
        #expect(file.base(of: plan("first paragraph about soil", "FIRST paragraph about soil") + ["first line by an agent"]) == 1)
    }

    @Test func editorThatOpenedTheNameBefore_isBasedOnNoFile() {
        var file = ShownFile(noFileBefore: ["made elsewhere this morning"])
        #expect(file.save(["typed in the editor"], isAnswered: true) == 0)
        file.put(["made elsewhere this morning", "typed in the editor"])
        #expect(file.base(of: ["typed in the editor at noon"]) == 2, "on what it saved itself")
        #expect(file.base(of: ["made elsewhere this morning", "typed in the editor", "more of it"]) == 3)
    }

    /// Lines that are typed on do not stand twice, and an hour later the file is like any other.
    @Test func firstText_isTheBaseIfNothingOfItIsGone() {
        var file = ShownFile(noFileBefore: ["buy milk", "call Ada"])
        #expect(file.base(of: ["buy milk and bread", "call Ada"]) == 1)
        #expect(file.base(of: ["buy milk and bread"]) == 0)
        #expect(file.base(of: ["buy oat milk", "call Ada"]) == 0, "the line may be another")
        file.put(["buy milk", "call Ada", "pay"])
        #expect(file.base(of: ["buy milk, please", "call Ada", "pay"]) == 2)
        file.time += 3_600_000
        #expect(file.base(of: ["buy oat milk"]) == 1)
    }

    /// A template has brought the lines that both have.
    @Test func halfOfTheFirstText_provesNothingForAnHour() {
        let template = ["# Saturday 28 November", "## Tasks of the day", "## Notes worth keeping"]
        var file = ShownFile(
            noFileBefore: template + ["meeting notes from the laptop", "the plan for Monday", "ask Ada about it"])
        #expect(file.base(of: template + ["typed on the desktop"]) == 0)
        #expect(file.base(of: template + ["the plan for Monday", "typed on the desktop"]) == 1)
        file.time += 3_600_000
        #expect(file.base(of: template + ["typed on the desktop"]) == 1)
    }

    @Test(arguments: [false, true])
    func staleEditor_keepsWhatAnotherProgramWrote(isReadable: Bool) {
        var file = ShownFile(plan)
        file.save(plan + ["agent paragraph appended"])
        let first = plan("second paragraph about seeds", "SECOND paragraph about seeds")
        #expect(file.base(of: first, isReadable: isReadable) == 0)
        #expect(file.base(of: plan + ["my own thought, typed at noon"], isReadable: isReadable) == 0)
        #expect(file.base(of: plan, isReadable: isReadable) == 1, "an undo")
        #expect(file.base(of: [], isReadable: isReadable) == 1, "emptied")
    }

    /// Whether a line goes on in another is in its letters, and a text that cannot be read proves nothing.
    @Test func lineThatIsTypedOn_needsItsText() {
        var file = ShownFile(plan)
        file.save(plan + ["Today I went to the"])
        let text = plan + ["Today I went to the market"]
        let rule = BaseRule(of: fileText(text), in: file.shown, at: file.time, how: .other)
        #expect(rule.base() == .needs(1))
        #expect(file.base(of: text) == 1)
        #expect(file.base(of: text, isReadable: false) == 0)
    }

    /// A line that replaced another, and a new form of that other one.
    @Test func otherFormOfTheReplacedLine_isBasedOnTheOlderText() {
        var file = ShownFile(plan)
        file.save(plan("second paragraph about seeds", "second section about seeds"))
        let text = plan("second paragraph about seeds", "second paragraph about bulbs")
        #expect(file.base(of: text) == 0)
        var texts = KeptTexts()
        let rule = BaseRule(of: fileText(text), in: file.shown, at: file.time, how: .other)
        #expect(rule.base(with: texts) == .needs(1))
        texts.add(file.texts[1], at: 1)
        #expect(rule.base(with: texts) == .needs(0), "the replaced line is in the text before")
        texts.add(file.texts[0], at: 0)
        #expect(rule.base(with: texts) == .base(0))
    }

    @Test func secondDeletion_counts() {
        let remark = "a remark by Ada on the phone"
        var file = ShownFile(plan)
        file.put(plan + [remark])
        #expect(file.save(plan, isAnswered: true) == 0)
        file.put(plan + [remark], after: 100)
        #expect(file.base(of: plan) == 2, "too soon to have been read")
        file.time += 2_000
        #expect(file.base(of: plan) == 3)
        #expect(file.base(of: Array(plan.dropFirst())) == 2, "lacks more than the answer put back")
    }

    /// The second program adds a line. It does not edit the line that the first one has just written.
    @Test func programThatLoadedADraft_isBasedOnIt() {
        var file = ShownFile(plan)
        file.save(plan + ["sed wrote the first line here"], isAnswered: true)
        let text = plan + ["sed wrote the second line here"]
        #expect(file.base(of: text) == 1)
        file.putForAMoment(plan)
        #expect(file.base(of: text) == 2)
        #expect(file.base(of: plan + ["sed wrote the first line here", "and more"]) == 1, "it loaded the other text")
        file.put(plan + ["came from elsewhere"])
        #expect(file.shown.entries.map(\.isAnswer) == [false, false, false, true])
    }

    @Test func git_isBasedOnTheNewestText() {
        var file = ShownFile(plan)
        file.put(plan + ["came a moment ago"])
        #expect(file.base(of: ["# Quite another text"], how: .git) == 1)
    }

    @Test func textThatIsAllNew_isBasedOnTheNewestProgramsText() {
        var file = ShownFile(plan)
        file.save(plan + ["saved by the editor"])
        file.put(plan + ["saved by the editor", "came from elsewhere"])
        #expect(file.base(of: ["nothing in common"]) == 1)
    }

    @Test func textOfADay_wasLoaded() {
        var file = ShownFile(plan)
        file.put(plan + ["came yesterday in the morning"])
        #expect(file.base(of: plan) == 0)
        file.time += 86_400_000
        #expect(file.base(of: plan) == 1)
    }

    /// The text of a joined entry is read from the joined text.
    @Test func joinedText_isFoundInTheTextOfBoth() {
        let joined = fileText("made elsewhere", "typed in the", "more")
        #expect(marks("typed in the").found(in: joined)?.map { Array($0) } == [Array("typed in the".utf8)])
        #expect(marks("more", "typed in the").found(in: joined) == nil)
        #expect(marks("typed here").found(in: joined) == nil)
        var shown = ShownTexts.noFile(at: 0)
        shown.put(version(1), marks("made elsewhere"), at: 1_000)
        shown.saved(marks("typed in the"), as: nil, joined: version(2), on: 0, at: 2_000, isAnswered: true)
        #expect(shown[2]?.version == nil && shown[2]?.joined == version(2))
        shown.put(version(2), LineMarks(joined), at: 2_100)
        let rule = BaseRule(of: fileText("typed in the editor"), in: shown, at: 9_000, how: .other)
        #expect(rule.base { _ in joined } == 2)
    }
}
