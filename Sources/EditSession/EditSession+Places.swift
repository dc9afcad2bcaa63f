package import Causality
import TextMerge

/// The places of other users in the text.
extension EditSession {
    /// The offsets in the text for offsets in versions that the session has shown. Offsets in other
    /// versions and outside their texts have none.
    ///
    /// - Complexity: one comparison of texts for each version whose text differs.
    package func places(of offsets: [(version: Version, offset: Int)]) -> [Int] {
        var compared: [Version: (edits: [Edit], count: Int)] = [:]
        return offsets.compactMap { version, offset in
            if compared[version] == nil {
                guard let old = version == self.version ? shadow : shown.last(where: { $0.version == version })?.text
                else { return nil }
                compared[version] = (old.isSame(as: text) ? [] : StatedDiff.edits(from: old, to: text), old.count)
            }
            guard let (edits, count) = compared[version], (0...count).contains(offset) else { return nil }
            let place = edits.moved(offset..<offset, limit: text.count).lowerBound
            return isBoundary(place) ? place : nil
        }
    }
}
