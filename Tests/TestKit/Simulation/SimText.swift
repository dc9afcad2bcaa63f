package import NotesModel

/// The texts of a simulation: tokens such as `[17]`, and line feeds. Each insertion has its own
/// token, so that the checker can follow it through all later texts.
///
/// A save moves whole lines and appends after an unterminated last line only: a diff cannot tell
/// which part of a changed line stayed, so a writer that changes a line counts as having written
/// all of it.
package enum SimText {
    package static func token(_ number: Int) -> [UInt8] { bytes("[\(number)]") }

    /// The numbers in a text with their positions; nil if it contains anything but whole tokens and
    /// line feeds.
    package static func tokens(in text: [UInt8]) -> [(number: Int, range: Range<Int>)]? {
        var found: [(number: Int, range: Range<Int>)] = []
        var index = 0
        while index < text.count {
            if text[index] == UInt8(ascii: "\n") {
                index += 1
                continue
            }
            guard text[index] == UInt8(ascii: "["), let end = text[index...].firstIndex(of: UInt8(ascii: "]")),
                let number = Int(String(decoding: text[(index + 1)..<end], as: UTF8.self))
            else { return nil }
            found.append((number, index..<end + 1))
            index = end + 1
        }
        return found
    }

    package static func numbers(in text: [UInt8]) -> Set<Int> {
        Set((tokens(in: text) ?? []).map(\.number))
    }

    /// A text to save on the given one.
    package static func saved(on text: [UInt8], next: () -> Int, _ random: inout SeededGenerator) -> [UInt8] {
        let lf = UInt8(ascii: "\n")
        var lines = text.split(separator: lf, omittingEmptySubsequences: false).map { Array($0) + [lf] }
        let last = lines.removeLast().dropLast()
        if !last.isEmpty {
            let at = random.below(lines.count + 1)
            switch random.below(3) {
            case 0 where at < lines.count: lines.remove(at: at)
            case 1: lines.insert(token(next()) + [lf], at: at)
            default: return text + [lf] + token(next()) + (random.chance(0.5) ? [lf] : [])
            }
            return Array(lines.joined()) + last
        }
        if random.chance(0.1) { return text + token(next()) }
        for _ in 0..<1 + random.below(2) {
            let at = random.below(lines.count + 1)
            let end = min(lines.count, at + random.pick([0, 0, 1, 1, 2]))
            let isNew = at == end || random.chance(0.5)
            lines.replaceSubrange(at..<end, with: isNew ? [token(next()) + [lf]] : [])
        }
        return Array(lines.joined())
    }

    /// Exact edits of the given text: they insert and remove tokens, and remove line feeds.
    package static func stated(on text: [UInt8], next: () -> Int, _ random: inout SeededGenerator) -> [PositionedEdit] {
        let tokens = tokens(in: text) ?? []
        var edits: [PositionedEdit] = []
        var from = 0
        for _ in 0..<1 + random.below(2) {
            let ends = tokens.map(\.range.upperBound).filter { $0 >= from } + (from == 0 ? [0] : []) + [text.count]
            let inner = tokens.filter { $0.range.lowerBound >= from }
            let new = token(next()) + (random.chance(0.3) ? [UInt8(ascii: "\n")] : [])
            var edit: PositionedEdit
            if !inner.isEmpty, random.chance(0.5) {
                let gone = random.pick(inner).range
                edit = PositionedEdit(start: gone.lowerBound, end: gone.upperBound, text: random.chance(0.4) ? new : [])
            } else {
                let at = random.pick(ends)
                edit = PositionedEdit(start: at, end: at, text: new)
                if random.chance(0.15), at < text.count, text[at] == UInt8(ascii: "\n") {
                    edit = PositionedEdit(start: at, end: at + 1, text: [])
                }
            }
            edits.append(edit)
            from = edit.end + 1
            guard from < text.count else { break }
        }
        return edits
    }
}
