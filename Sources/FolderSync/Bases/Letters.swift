/// The letters of lines: which characters are letters, and what two lines have in common.
enum Letters {
    /// Whether a character is a letter or a digit of any script.
    static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return isLetter(ascii: UInt8(truncatingIfNeeded: scalar.value)) }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: return true
        default: return scalar.properties.numericType != nil
        }
    }

    private static func isLetter(ascii byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    /// The number of letters and digits of a line.
    ///
    /// - Complexity: O(bytes); properties of characters are only looked up beyond ASCII.
    static func count(_ line: some Collection<UInt8>) -> Int {
        if line.allSatisfy({ $0 < 0x80 }) { return line.count(where: isLetter(ascii:)) }
        return String(decoding: line, as: UTF8.self).unicodeScalars.count(where: isLetter)
    }

    /// A line as characters, without white space at its ends.
    static func characters(_ line: some Collection<UInt8>) -> [Unicode.Scalar] {
        let all = Array(String(decoding: line, as: UTF8.self).unicodeScalars)
        guard let first = all.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = all.lastIndex(where: { !$0.properties.isWhitespace })
        else { return [] }
        return Array(all[first...last])
    }

    /// The number of characters that two lines share at their ends.
    static func shared(_ one: [Unicode.Scalar], _ other: [Unicode.Scalar]) -> Int {
        let most = min(one.count, other.count)
        var start = 0
        while start < most, one[start] == other[start] { start += 1 }
        var end = 0
        while end < most - start, one[one.count - 1 - end] == other[other.count - 1 - end] { end += 1 }
        return start + end
    }

    /// Whether a line is an older one, typed on or altered: it begins with it, or shares at least six
    /// characters and half of the older line at the ends.
    static func isSimilar(_ line: [Unicode.Scalar], to older: [Unicode.Scalar]) -> Bool {
        guard !line.isEmpty, !older.isEmpty else { return false }
        if older.count > 1, line.starts(with: older) { return true }
        let shared = shared(line, older)
        return shared >= 6 && 2 * shared >= older.count
    }

    /// The words of at least three letters.
    static func words(_ line: [Unicode.Scalar]) -> Set<[Unicode.Scalar]> {
        Set(line.split { !isLetter($0) }.filter { $0.count >= 3 }.map { Array($0) })
    }

    /// Whether a missing line *goes on* in new lines: one of them is similar, or the line is wrapped anew,
    /// so that three fifths of its words, which are at least three, are in the new lines.
    ///
    /// - Parameter former: lines in whose place the missing line came. A new line that shares more with
    ///   such a line is another form of that line, made without knowledge of the missing one. If any new
    ///   line is similar to a former line, the words of the former lines do not count either.
    static func goesOn(_ missing: [Unicode.Scalar], in new: [[Unicode.Scalar]], former: [[Unicode.Scalar]]) -> Bool {
        let isAltered = new.contains { line in
            guard isSimilar(line, to: missing) else { return false }
            let shared = shared(line, missing)
            return !former.contains { Self.shared(line, $0) > shared }
        }
        if isAltered { return true }
        var own = words(missing)
        guard own.count >= 3 else { return false }
        if new.contains(where: { line in former.contains { isSimilar(line, to: $0) } }) {
            for line in former { own.subtract(words(line)) }
        }
        let there = new.reduce(into: Set()) { $0.formUnion(words($1)) }
        return !own.isEmpty && 5 * own.intersection(there).count >= 3 * own.count
    }
}
