import Causality
import TestKit
import Testing

@testable import TextMerge

/// Which versions are kept ready for the next write. No text depends on it, only the work.
@Suite struct BranchTests {
    /// A walk of one revision, A1, that keeps `branches` branches.
    private func view(branches: Int) -> View {
        var limits = WalkLimits()
        limits.branches = branches
        var view = View(limits: limits)
        write("A1", on: "", to: &view)
        return view
    }

    private func write(_ name: String, on parents: String, to view: inout View) {
        view.append(contentsOf: [.stated(name, on: parents, Edit(0, 0, "x"))], holdsFloor: true)
    }

    private func held(_ view: View) -> Set<Version> {
        Set((view.walk?.branches ?? []).map(\.version))
    }

    /// Moving one branch back and forth between the writers' versions would cost more with each
    /// write.
    @Test(arguments: ["BC", "BCD", "BCDEF"])
    func concurrentWriters_haveSeparateBranches(writers: String) {
        var view = view(branches: 4)
        for counter in 1...3 {
            for writer in writers {
                write("\(writer)\(counter)", on: counter == 1 ? "A1" : "\(writer)\(counter - 1)", to: &view)
                #expect(view.walk.map { $0.debt <= $0.runs.count } == true, "a copy is paid for by what was moved")
            }
        }
        #expect(view.walk?.branches.count == min(writers.count, 4))
        let newest = writers.suffix(4).map { seen("\($0)3") }
        #expect(held(view) == Set(newest))
    }

    @Test func fullBranches_replaceLeastRecentlyUsed() {
        var view = view(branches: 3)
        for name in ["B1", "C1", "D1"] { write(name, on: "A1", to: &view) }
        #expect(held(view) == [seen("B1"), seen("C1"), seen("D1")])
        write("E1", on: "A1", to: &view)
        #expect(held(view) == [seen("C1"), seen("D1"), seen("E1")])
        write("F1", on: "A1", to: &view)
        #expect(held(view) == [seen("D1"), seen("E1"), seen("F1")])
        write("A2", on: "A1", to: &view)
        #expect(held(view) == [seen("E1"), seen("F1"), seen("A2")])
        #expect(view.text(at: seen("E1")) == bytes("xx"))
        write("B2", on: "B1", to: &view)
        #expect(held(view) == [seen("E1"), seen("A2"), seen("B2")], "who reads a version asks for it, too")
    }

    /// The nearest branch is copied and stays, even if it is the least recently used one.
    @Test func copiedBranch_isNotReplaced() {
        var view = view(branches: 3)
        for name in ["B1", "C1", "D1"] { write(name, on: "A1", to: &view) }
        write("B2", on: "B1", to: &view)
        for name in ["C1", "D1"] { #expect(view.text(at: seen(name)) == bytes("xx")) }
        write("E1", on: "B1", to: &view)
        #expect(held(view) == [seen("B2"), seen("D1"), seen("E1")])
    }
}
