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

    private var lastStep = 0

    private struct Step: Sendable {
        let number: Int
        var before: [UInt8]
        var after: [UInt8]
        /// Where `after` is in the text now, with the changes of others.
        var range: Range<Int>
        /// Where the caret was before the change, in the text without the step: the line, counted from the
        /// first of the step's, and the byte in it. Nil if the editor did not say.
        var caret: (line: Int, column: Int)?
        /// The ends of the ranges of other steps in `before`: `edits` of the step do not tell where they were.
        var ends: [Int: Ends] = [:]

        var bytes: Int { before.count + after.count }

        var isInOneLine: Bool { !(before.dropLast() + after.dropLast()).contains(UInt8(ascii: "\n")) }

        /// The text `now` of the step's lines with the step undone; nil if somebody else changed one of the places
        /// that the step changed.
        func byLetters(in now: [UInt8]) -> [UInt8]? {
            for theirs in [StatedDiff.letters(after, now), StatedDiff.shortEdits(from: after, to: now)] {
                let mine = StatedDiff.shortEdits(from: after, to: before).flatMap { $0.divided(at: theirs) }
                guard mine.allSatisfy({ edit in theirs.allSatisfy { $0.end <= edit.start || edit.end <= $0.start } })
                else { continue }
                return mine.map { edit in
                    let range = theirs.moved(edit.start..<edit.end, limit: now.count)
                    return Edit(start: range.lowerBound, end: range.upperBound, replacement: edit.replacement)
                }.applied(to: now)
            }
            return nil
        }

        /// The step as if what others made of its lines had come before it; nil if its lines are gone, or
        /// if the user and somebody else changed one place.
        func followed(in text: [UInt8]) -> Step? {
            guard range.upperBound <= text.count else { return nil }
            let now = Array(text[range])
            guard !now.isSame(as: after) else { return self }
            guard !now.isEmpty, !LineMerge.isClash(base: after, mine: now, theirs: before) else { return nil }
            return Step(
                number: number, before: LineMerge.merged(base: after, mine: now, theirs: before), after: now, range: range,
                caret: caret)
        }
    }

    /// The ends of a range; nil for one that is elsewhere.
    private struct Ends: Sendable {
        var start: Int?
        var end: Int?

        init(_ range: Range<Int>, in place: Range<Int>) {
            func offset(_ end: Int) -> Int? { place.lowerBound...place.upperBound ~= end ? end - place.lowerBound : nil }
            (start, end) = (offset(range.lowerBound), offset(range.upperBound))
        }

        /// The range, if its ends are at these offsets from `origin`.
        func range(from origin: Int, else other: Range<Int>) -> Range<Int> {
            let start = start.map { $0 + origin } ?? other.lowerBound
            return start..<max(start, end.map { $0 + origin } ?? other.upperBound)
        }
    }

    /// The edits of an undo or a redo.
    struct Effect {
        let edits: [Edit]
        /// Whether somebody else changed what the step changed, so that both are kept.
        let isClash: Bool
        /// Where the caret was before the step, in the text after these edits.
        let caret: Int?
    }

    /// Records a change by the user.
    ///
    /// - Parameters:
    ///   - continues: whether the change belongs to the step before. That step then has all lines from the
    ///     first to the last of both.
    ///   - caret: where the caret was before the change.
    /// - Precondition: the edits are well-formed for `text`, the text before them, and not empty.
    mutating func record(_ edits: [Edit], on text: [UInt8], continues: Bool, caret: Int? = nil) {
        redoable = []
        guard let first = edits.first, let last = edits.last else { return }
        let start = (text[..<first.start].lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
        var range = start..<(text.firstOffset(of: UInt8(ascii: "\n"), from: last.end).map { $0 + 1 } ?? text.count)
        var before = Array(text[range])
        var place = caret.map { Self.place(of: $0, from: range.lowerBound, in: text) }
        let growth = edits.reduce(0) { $0 + $1.growth }
        var joined: Step?
        if continues, taken == nil, let step = undoable.last?.followed(in: text) {
            undoable.removeLast()
            let whole = min(range.lowerBound, step.range.lowerBound)..<max(range.upperBound, step.range.upperBound)
            place = step.caret.map { caret in
                (caret.line + text[whole.lowerBound..<step.range.lowerBound].count { $0 == UInt8(ascii: "\n") }, caret.column)
            }
            before = text[whole.lowerBound..<step.range.lowerBound] + step.before + text[step.range.upperBound..<whole.upperBound]
            (range, joined) = (whole, step)
        }
        var ends = ends(in: range)
        if let joined { ends = Self.ends(ends, in: range, before: joined) }
        let new = edits.applied(to: text)
        shift(over: edits)
        range = range.lowerBound..<range.upperBound + growth
        lastStep += 1
        undoable.append(
            Step(number: lastStep, before: before, after: Array(new[range]), range: range, caret: place, ends: ends))
        var bytes = undoable.reduce(0) { $0 + $1.bytes }
        while undoable.count > Self.stepsMax || bytes > Self.bytesMax { bytes -= undoable.removeFirst().bytes }
    }

    /// The line and the column of an offset; lines are counted from the one that begins at `start`.
    private static func place(of offset: Int, from start: Int, in text: [UInt8]) -> (line: Int, column: Int) {
        let newline = UInt8(ascii: "\n")
        let ends = text[min(start, offset)..<max(start, offset)].count { $0 == newline }
        let first = (text[..<offset].lastIndex(of: newline) ?? -1) + 1
        return (offset < start ? -ends : ends, offset - first)
    }

    /// The reverse of `place`, or the place nearest to it that the text has.
    private static func offset(of place: (line: Int, column: Int), from start: Int, in text: [UInt8]) -> Int {
        let newline = UInt8(ascii: "\n")
        // What an undo put back before the step's lines is not part of its range.
        var first = (text[..<start].lastIndex(of: newline) ?? -1) + 1
        for _ in 0..<max(0, -place.line) where first > 0 {
            first = (text[..<(first - 1)].lastIndex(of: newline) ?? -1) + 1
        }
        for _ in 0..<max(0, place.line) {
            guard let end = text[first...].firstIndex(of: newline) else { break }
            first = end + 1
        }
        let end = text[first...].firstIndex(of: newline) ?? text.count
        var offset = min(first + place.column, end)
        while offset > first, offset < text.count, text[offset].isContinuation { offset -= 1 }
        return offset
    }

    /// The ends of steps that are in some lines.
    private func ends(in place: Range<Int>) -> [Int: Ends] {
        var ends: [Int: Ends] = [:]
        for step in undoable + redoable {
            let found = Ends(step.range, in: place)
            if found.start != nil || found.end != nil { ends[step.number] = found }
        }
        return ends
    }

    /// Ends in some lines as they were before a step in these lines.
    private static func ends(_ now: [Int: Ends], in place: Range<Int>, before step: Step) -> [Int: Ends] {
        let start = step.range.lowerBound - place.lowerBound
        func moved(_ end: Int?, _ known: Int?) -> Int? {
            if let known { return known + start }
            return end.map { $0 <= start ? $0 : $0 + step.before.count - step.after.count }
        }
        return now.merging(step.ends) { new, _ in new }.reduce(into: [:]) { result, entry in
            let (number, either) = entry
            var ends = either
            ends.start = moved(now[number]?.start, step.ends[number]?.start)
            ends.end = moved(now[number]?.end, step.ends[number]?.end)
            result[number] = ends
        }
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

    private mutating func restore(_ ends: [Int: Ends], from origin: Int) {
        for index in undoable.indices {
            if let ends = ends[undoable[index].number] {
                undoable[index].range = ends.range(from: origin, else: undoable[index].range)
            }
        }
        for index in redoable.indices {
            if let ends = ends[redoable[index].number] {
                redoable[index].range = ends.range(from: origin, else: redoable[index].range)
            }
        }
    }

    /// Takes the newest step and returns the edits of the text that undo or redo it, until `end`; nil if there
    /// is none. Steps that would change nothing are forgotten.
    mutating func take(isUndo: Bool, in text: [UInt8]) -> Effect? {
        while let step = isUndo ? undoable.popLast() : redoable.popLast() {
            let range = step.range.clamped(to: 0..<text.count)
            let now = Array(text[range])
            let isClash = LineMerge.isClash(base: step.after, mine: now, theirs: step.before)
            let letters = isClash || step.isInOneLine ? step.byLetters(in: now) : nil
            let new = letters ?? LineMerge.merged(base: step.after, mine: now, theirs: step.before)
            let edits = StatedDiff.edits(from: now, to: new).map { $0.moved(by: range.lowerBound) }
            guard !edits.isEmpty else { continue }
            let place = range.lowerBound..<range.lowerBound + new.count
            taken = (step, Step(number: step.number, before: now, after: new, range: place, caret: step.caret), edits, isUndo)
            let later = edits.applied(to: text)
            return Effect(
                edits: edits, isClash: isClash && letters == nil,
                caret: step.caret.map { Self.offset(of: $0, from: range.lowerBound, in: later) })
        }
        return nil
    }

    /// Ends the step that was taken.
    ///
    /// - Parameter isShown: whether the user sees its edits; otherwise the step is the newest again.
    mutating func end(isShown: Bool) {
        guard case (let step, var reverse, let edits, let isUndo)? = taken else { return }
        taken = nil
        if isShown {
            reverse.ends = ends(in: step.range)
            shift(over: edits, growsEmpty: true)
            // Otherwise somebody else has changed these lines.
            if reverse.before.isSame(as: step.after), reverse.after.isSame(as: step.before) {
                restore(step.ends, from: reverse.range.lowerBound)
            }
        }
        if isUndo == isShown { redoable.append(isShown ? reverse : step) } else { undoable.append(isShown ? reverse : step) }
    }
}

extension Edit {
    /// The edit, if it only removes, as one edit on each side of every insertion inside it.
    fileprivate func divided(at others: [Edit]) -> [Edit] {
        guard replacement.isEmpty else { return [self] }
        let cuts = others.filter { $0.start == $0.end && start < $0.start && $0.start < end }.map(\.start)
        return zip([start] + cuts, cuts + [end]).map { Edit(start: $0, end: $1, replacement: []) }
    }
}
