/// The comparison of names, aliases, titles and link targets.
///
/// Two texts are *alike* if their folds are equal. The fold of a text is its canonical decomposition
/// (NFD) with each scalar in lower case, decomposed again, and with U+00A0 and U+202F as spaces. It
/// uses the tables of one version of Unicode, so that all daemons agree; see
/// `docs/decisions/links.md#0068`.
package enum NameFolding {
    /// Folds a text.
    ///
    /// - Complexity: O(n log n), and O(n) without long runs of combining marks.
    package static func fold(_ text: ByteString) -> ByteString {
        guard text.utf8.contains(where: { $0 >= 0x80 }) else {
            return ByteString(validUTF8: text.utf8.map(asciiLowercased))
        }
        var scalars: [UInt32] = []
        scalars.reserveCapacity(text.utf8.count)
        for scalar in text.description.unicodeScalars { append(scalar.value, to: &scalars) }
        orderMarks(&scalars)
        var folded = ""
        for scalar in scalars.compactMap(Unicode.Scalar.init) { folded.unicodeScalars.append(scalar) }
        return ByteString(folded)
    }

    private static func append(_ scalar: UInt32, to scalars: inout [UInt32]) {
        if scalar < 0x80 {
            scalars.append(UInt32(asciiLowercased(UInt8(scalar))))
        } else if hangul.contains(scalar) {
            // Unicode, section 3.12: a syllable is a leading consonant, a vowel and perhaps a final
            // consonant.
            let index = scalar - hangul.lowerBound
            scalars += [0x1100 + index / 588, 0x1161 + index % 588 / 28]
            if index % 28 != 0 { scalars.append(0x11A7 + index % 28) }
        } else if let run = run(in: mappings, containing: scalar), (scalar - run.first) % run.step == 0 {
            if run.first == run.last { scalars += run.values } else { scalars.append(run.values[0] &+ (scalar - run.first)) }
        } else {
            scalars.append(scalar)
        }
    }

    /// Sorts each run of combining marks by class, and keeps the order within a class.
    private static func orderMarks(_ scalars: inout [UInt32]) {
        var start = 0
        var marks: [(order: UInt32, index: Int)] = []
        for index in 0...scalars.count {
            let order = index < scalars.count ? combiningClass(scalars[index]) : 0
            if order != 0 {
                marks.append((order, index))
                continue
            }
            if marks.count > 1 {
                let sorted = marks.sorted { ($0.order, $0.index) < ($1.order, $1.index) }.map { scalars[$0.index] }
                scalars.replaceSubrange(start..<index, with: sorted)
            }
            marks = []
            start = index + 1
        }
    }

    private static func combiningClass(_ scalar: UInt32) -> UInt32 {
        scalar < 0x300 ? 0 : run(in: classes, containing: scalar)?.values[0] ?? 0
    }

    // MARK: - Tables

    /// Scalars from `first` to `last` in steps of `step`.
    private struct Run {
        let first: UInt32
        let last: UInt32
        let step: UInt32
        /// The fold, or the combining class, of `first`.
        let values: [UInt32]
    }

    private static let hangul: Range<UInt32> = 0xAC00..<0xD7A4
    private static let mappings = runs(of: FoldingTable.mappings)
    private static let classes = runs(of: FoldingTable.classes)

    private static func runs(of table: String) -> [Run] {
        table.split { $0 == " " || $0.isNewline }.map { entry in
            let sides = entry.split(separator: "=")
            let range = sides[0].split { $0 == "+" || $0 == "*" }.map(hexadecimal)
            let step: UInt32 = sides[0].contains("*") ? 2 : 1
            return Run(
                first: range[0], last: range[0] + (range.count > 1 ? range[1] * step : 0), step: step,
                values: sides[1].split(separator: ".").map(hexadecimal))
        }
    }

    private static func hexadecimal(_ digits: Substring) -> UInt32 {
        digits.utf8.reduce(0) { $0 << 4 | UInt32($1 & 0xF) + ($1 > UInt8(ascii: "9") ? 9 : 0) }
    }

    private static func run(in runs: [Run], containing scalar: UInt32) -> Run? {
        var (low, high) = (0, runs.count)
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].last < scalar { low = middle + 1 } else { high = middle }
        }
        return low < runs.count && runs[low].first <= scalar ? runs[low] : nil
    }
}
