import TextMerge

/// The user's own steps, to be undone and redone while others change the text.
///
/// A step is what some lines were before and after it. Undoing merges by lines: what others made of the
/// lines since stays.
struct EditHistory: Sendable {
    private var undoable: [Step] = []
    private var redoable: [Step] = []
    /// The step that `take` returned, its reverse, and the edits that it makes.
    private var taken: (step: Step, reverse: Step, edits: [Edit], isUndo: Bool)?

    /// Most steps, and most bytes of their lines; the oldest are forgotten.
    static let (stepsMax, bytesMax) = (1_000, 8 << 20)

    private struct Step: Sendable {
        var before: [UInt8]
        var after: [UInt8]
        /// Where `after` is in the text now, with the changes of others.
        var range: Range<Int>

        var bytes: Int { before.count + after.count }

        /// The step as if what others made of its lines had come before it; nil if its lines are gone, or
        /// if the user and somebody else changed one place.
        func followed(in text: [UInt8]) -> Step? {
            guard range.upperBound <= text.count else { return nil }
            let now = Array(text[range])
            guard !now.isSame(as: after) else { return self }
            guard !now.isEmpty, !LineMerge.isClash(base: after, mine: now, theirs: before) else { return nil }
            return Step(before: LineMerge.merged(base: after, mine: now, theirs: before), after: now, range: range)
        }
    }

    /// The edits of an undo or a redo.
    struct Effect {
        let edits: [Edit]
        /// Whether somebody else changed what the step changed, so that both are kept.
        let isClash: Bool
    }

    /// Records a change by the user.
    ///
    /// - Parameter continues: whether the change belongs to the step before.
    /// - Precondition: the edits are well-formed for `text`, the text before them, and not empty.
    mutating func record(_ edits: [Edit], on text: [UInt8], continues: Bool) {
        redoable = []
        guard let first = edits.first, let last = edits.last else { return }
        let start = (text[..<first.start].lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
        var range = start..<(text.firstOffset(of: UInt8(ascii: "\n"), from: last.end).map { $0 + 1 } ?? text.count)
        var before = Array(text[range])
        let growth = edits.reduce(0) { $0 + $1.growth }
        if continues, taken == nil, let step = undoable.last, step.range.lowerBound <= range.upperBound,
            range.lowerBound <= step.range.upperBound, let step = step.followed(in: text)
        {
            undoable.removeLast()
            let whole = min(range.lowerBound, step.range.lowerBound)..<max(range.upperBound, step.range.upperBound)
            before = text[whole.lowerBound..<step.range.lowerBound] + step.before + text[step.range.upperBound..<whole.upperBound]
            range = whole
        }
        let new = edits.applied(to: text)
        shift(over: edits)
        let place = range.lowerBound..<range.upperBound + growth
        undoable.append(Step(before: before, after: Array(new[place]), range: place))
        var bytes = undoable.reduce(0) { $0 + $1.bytes }
        while undoable.count > Self.stepsMax || bytes > Self.bytesMax { bytes -= undoable.removeFirst().bytes }
    }

    /// Follows changes by others.
    mutating func move(over edits: [Edit]) { shift(over: edits) }

    /// - Parameter growsEmpty: whether a step whose lines are gone takes what is inserted at its place,
    ///   because an undo or a redo puts them back.
    private mutating func shift(over edits: [Edit], growsEmpty: Bool = false) {
        func moved(_ range: Range<Int>) -> Range<Int> {
            let new = edits.moved(range, limit: .max)
            guard growsEmpty, range.isEmpty, let put = edits.first(where: { $0.start == range.lowerBound && $0.end == $0.start })
            else { return new }
            return new.lowerBound - put.replacement.count..<new.upperBound
        }
        for index in undoable.indices { undoable[index].range = moved(undoable[index].range) }
        for index in redoable.indices { redoable[index].range = moved(redoable[index].range) }
        if let step = taken?.step { taken?.step.range = moved(step.range) }
    }

    /// Takes the newest step and returns the edits of the text that undo or redo it, until `end`; nil if there
    /// is none. Steps that would change nothing are forgotten.
    mutating func take(isUndo: Bool, in text: [UInt8]) -> Effect? {
        while let step = isUndo ? undoable.popLast() : redoable.popLast() {
            let range = step.range.clamped(to: 0..<text.count)
            let now = Array(text[range])
            let new = LineMerge.merged(base: step.after, mine: now, theirs: step.before)
            let edits = StatedDiff.edits(from: now, to: new).map { $0.moved(by: range.lowerBound) }
            guard !edits.isEmpty else { continue }
            let place = range.lowerBound..<range.lowerBound + new.count
            taken = (step, Step(before: now, after: new, range: place), edits, isUndo)
            return Effect(edits: edits, isClash: LineMerge.isClash(base: step.after, mine: now, theirs: step.before))
        }
        return nil
    }

    /// Ends the step that was taken.
    ///
    /// - Parameter isShown: whether the user sees its edits; otherwise the step is the newest again.
    mutating func end(isShown: Bool) {
        guard let (step, reverse, edits, isUndo) = taken else { return }
        taken = nil
        if isShown { shift(over: edits, growsEmpty: true) }
        if isUndo == isShown { redoable.append(isShown ? reverse : step) } else { undoable.append(isShown ? reverse : step) }
    }
}
