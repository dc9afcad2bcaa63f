import ClientTestKit
import NoteText
import NotesModel
import NotesWire
import TestKit
import Testing

@testable import Agents

/// Tests of the fences around an agent.
struct ContextScopeTests {
    private func head(_ name: String?, tags: [ByteString] = []) -> Head {
        var head = Canned.note(1, name: name).head
        head.tags = tags
        return head
    }

    @Test func notesOutsideTheScope_areNotContained() {
        let folder = ContextScope(prefix: "work/")
        #expect(folder.contains(head("work/a")) && !folder.contains(head("workshop")) && !folder.contains(head(nil)))
        let tagged = ContextScope(tag: "todo")
        #expect(tagged.contains(head(nil, tags: ["a", "todo"])) && !tagged.contains(head("todo", tags: ["todos"])))
        let both = ContextScope(prefix: "work/", tag: "todo")
        #expect(both.contains(head("work/a", tags: ["todo"])) && !both.contains(head("a", tags: ["todo"])))
        #expect(ContextScope().contains(head(nil)))
    }

    @Test func changeThatLeavesTheScope_isRefused() throws {
        func refusal(_ scope: ContextScope, _ name: String?, _ text: String) -> String? {
            do throws(ToolFailure) {
                try scope.check(name: name.map { try? NoteName(ByteString($0)) } ?? nil, text: bytes(text))
                return nil
            } catch {
                return error.reason
            }
        }
        let scope = ContextScope(prefix: "work/", tag: "todo")
        #expect(refusal(scope, "work/a", "x #todo\n") == nil)
        #expect(refusal(scope, "work/a", "x\n")?.contains("#todo") == true)
        #expect(refusal(scope, "a", "x #todo\n")?.contains("work/") == true)
        #expect(refusal(scope, nil, "x #todo\n")?.contains("work/") == true)
        #expect(refusal(ContextScope(), nil, "") == nil)
    }

    @Test func filterOfAList_neverWidensTheScope() {
        let scope = ContextScope(prefix: "work/", tag: "todo")
        #expect(scope.filter(prefix: nil) == Filter(prefix: "work/", tag: "todo"))
        #expect(scope.filter(prefix: "w") == Filter(prefix: "work/", tag: "todo"))
        #expect(scope.filter(prefix: "work/x") == Filter(prefix: "work/x", tag: "todo"))
        #expect(scope.filter(prefix: "home") == nil)
        #expect(ContextScope().filter(prefix: "home") == Filter(prefix: "home"))
    }

    @Test func budget_boundsChangesOfAnyMinute_andBytesInAll() {
        var budget = ContextBudget(changesPerMinute: 2, bytesMax: 100)
        #expect(budget.refusal(ofBytes: 10, at: 0) == nil && budget.refusal(ofBytes: 10, at: 30) == nil)
        #expect(budget.refusal(ofBytes: 10, at: 59)?.contains("wait 1 second") == true)
        #expect(budget.refusal(ofBytes: 81, at: 60)?.contains("new session") == true)
        #expect(budget.refusal(ofBytes: 80, at: 60) == nil)
        #expect(budget.refusal(ofBytes: 1, at: 61)?.contains("wait 29 seconds") == true)
        #expect(budget.refusal(ofBytes: 1, at: 200) != nil && budget.refusal(ofBytes: 0, at: 200) == nil)
        #expect(budget.refusal(ofBytes: .max, at: 400) != nil)
    }

    @Test func budget_countsWhatIsWrittenBeyondTheArguments() {
        var budget = ContextBudget(changesPerMinute: 2, bytesMax: 100)
        #expect(budget.refusal(ofBytes: 10, at: 0) == nil)
        #expect(budget.refusal(ofFurtherBytes: 91)?.contains("new session") == true)
        #expect(budget.refusal(ofFurtherBytes: -5) == nil && budget.refusal(ofFurtherBytes: 90) == nil)
        #expect(budget.refusal(ofFurtherBytes: 1) != nil && budget.refusal(ofFurtherBytes: 0) == nil)
    }
}
