import Causality

/// Finds the text that both programs had when one of them made a conflict copy.
///
/// The other program has seen one of the texts that the file had, and has changed it. So the base is the
/// text that differs least from the copy. Unlike a save (`BaseRule`), a copy never takes out what its
/// writer may not have seen: of texts that differ equally, the oldest is the base.
enum CopyBase {
    struct Candidate {
        let version: Version
        let text: LineMarks
    }

    /// - Parameter candidates: the oldest text first.
    /// - Returns: nil if there is no candidate.
    /// - Complexity: O(lines of all texts).
    static func version(of copy: LineMarks, among candidates: [Candidate]) -> Version? {
        var best: (version: Version, difference: Int)?
        for candidate in candidates {
            let difference =
                candidate.text.surplus(over: copy).values.reduce(0, +) + copy.surplus(over: candidate.text).values.reduce(0, +)
            if difference < best?.difference ?? .max { best = (candidate.version, difference) }
        }
        return best?.version
    }
}
