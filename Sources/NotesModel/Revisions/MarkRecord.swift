package import Causality
import TextMerge

/// The origins of a mark's text and name. They cannot be computed once the revisions below the mark
/// are erased, and stores need them to merge the texts of two marks
/// (`docs/decisions/purge.md#0071`).
package struct MarkRecord: Hashable, Sendable {
    /// Consecutive bytes of the text with the same origins.
    package struct Run: Hashable, Sendable {
        /// Number of bytes, at least 1.
        package var length: Int
        /// The revisions that inserted the copies of the bytes that are shown, sorted.
        package let dots: [Dot]

        package init(length: Int, dots: [Dot]) {
            self.length = length
            self.dots = dots
        }
    }

    /// The origins of the text, in its order. Their lengths add up to that of the text.
    package let origins: [Run]
    /// The revision that set the name; nil if none did.
    package let nameOrigin: Dot?

    /// The record of a text of which only the floor is known.
    package init(whole text: [UInt8], of floor: Dot) {
        self.init(origins: text.isEmpty ? [] : [Run(length: text.count, dots: [floor])], nameOrigin: floor)
    }

    package init(origins: [Run], nameOrigin: Dot?) {
        self.origins = origins
        self.nameOrigin = nameOrigin
    }
}

extension View {
    /// The origins of the merged text. Bytes of the floor's text have the floor as their origin.
    ///
    /// - Complexity: O(bytes ever inserted since the floor + removals).
    func origins(ofFloor floor: Dot?) -> [MarkRecord.Run] {
        guard !isDeleted else { return [] }
        let withdrawn = version.isNothing ? [] : withdrawn(at: version)
        var runs: [MarkRecord.Run] = []
        for part in provenance {
            let shown = part.copies.filter { $0.isShown(withdrawn: withdrawn) }
            guard !shown.isEmpty, !part.bytes.isEmpty else { continue }
            let dots = Set(shown.compactMap { $0.inserter ?? floor }).sorted()
            if let last = runs.last, last.dots == dots {
                runs[runs.count - 1].length += part.bytes.count
            } else {
                runs.append(MarkRecord.Run(length: part.bytes.count, dots: dots))
            }
        }
        if hidesLast, let last = runs.popLast(), last.length > 1 {
            runs.append(MarkRecord.Run(length: last.length - 1, dots: last.dots))
        }
        return runs
    }
}
