/// The outcomes of many merges, compared with git's.
struct MergeTable {
    private struct Row {
        let name: String
        var count = 0
        var ofAll = 0
        /// Merges for which it does not hold.
        var missing: [String] = []
    }

    private let source: String
    private var all = 0
    private var rows: [Row] = []

    /// - Parameter source: Where the merges come from.
    init(source: String) {
        self.source = source
        let names = [
            Names.gitsBytes, Names.cleanQuietly, Names.insertionsShown, Names.insertionsQuietly, Names.conflictTold,
            Names.conflictShown, Names.absentShown, Names.absentTold, Names.sameInBothOrders,
        ]
        rows = names.map { Row(name: $0) }
    }

    private enum Names {
        static let gitsBytes = "git merges it: the note has git's bytes"
        static let cleanQuietly = "git merges it: no conflict"
        static let insertionsShown = "both only add lines at one place: the note has both"
        static let insertionsQuietly = "both only add lines at one place: no conflict"
        static let conflictTold = "git has another conflict: the note reports one"
        static let conflictShown = "git has another conflict: the note has both sides"
        static let absentShown = "a side removed the text: the note has the other's"
        static let absentTold = "a side removed the text: the note reports a conflict"
        static let sameInBothOrders = "both orders give the same text and conflicts"
    }

    /// - Parameters:
    ///   - first: The note with ours written before theirs.
    ///   - second: The note with theirs written before ours.
    mutating func add(_ merge: MergeCase, git: Git.Merged, _ first: MergedNote, _ second: MergedNote) {
        all += 1
        count(Names.sameInBothOrders, first == second, merge)
        let isQuiet = first.conflicts.isEmpty
        let holdsBoth = first.holds(merge.ours, of: merge.base) && first.holds(merge.theirs, of: merge.base)
        switch git {
        case .clean(let bytes):
            count(Names.gitsBytes, first.text.utf8.elementsEqual(bytes), merge)
            count(Names.cleanQuietly, isQuiet, merge)
        case .insertions:
            count(Names.insertionsShown, holdsBoth, merge)
            count(Names.insertionsQuietly, isQuiet, merge)
        case .conflict:
            count(Names.conflictTold, !isQuiet, merge)
            count(Names.conflictShown, holdsBoth, merge)
        case .absent:
            let text = merge.ours ?? merge.theirs
            let isShown = text.map { first.text.utf8.elementsEqual($0.utf8) && !first.isDeleted } ?? first.isDeleted
            count(Names.absentShown, isShown, merge)
            // If both sides removed the text, they agree.
            count(Names.absentTold, text == nil ? isQuiet : first.conflicts.contains { $0.hasPrefix("deletion") }, merge)
        }
    }

    private mutating func count(_ name: String, _ holds: Bool, _ merge: MergeCase) {
        guard let index = rows.firstIndex(where: { $0.name == name }) else { return }
        rows[index].ofAll += 1
        if holds { rows[index].count += 1 } else { rows[index].missing.append(merge.name) }
    }

    var text: String {
        let lines = rows.filter { $0.ofAll > 0 }.flatMap { row in
            let name = row.name + String(repeating: " ", count: max(0, 56 - row.name.count))
            let missing = row.missing.prefix(10).map { "    not \($0)" }
            let more = row.missing.count > 10 ? ["    and \(row.missing.count - 10) more"] : []
            return ["\(name) \(row.count) of \(row.ofAll)"] + missing + more
        }
        return (["\(all) merges of \(source)"] + lines + [""]).joined(separator: "\n")
    }
}
