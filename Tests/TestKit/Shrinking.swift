/// The search for a short failing list of steps, which removes steps as long as the list still fails: delta
/// debugging (Zeller and Hildebrandt, 2002), down to a list from which no single step can be removed.
package struct Shrinking<Step> {
    /// The shortest failing list so far.
    package private(set) var steps: [Step]
    private var attempts: Int
    private var parts = 2
    private var start = 0
    private var candidate: [Step] = []

    /// - Parameter attemptsMax: the number of lists to try.
    package init(_ steps: [Step], attemptsMax: Int = 2_000) {
        (self.steps, attempts) = (steps, attemptsMax)
    }

    /// The next list to try; nil at the end. If it fails, call `failed`.
    package mutating func next() -> [Step]? {
        guard steps.count > 1, attempts > 0 else { return nil }
        if start >= steps.count {
            guard parts < steps.count else { return nil }
            (parts, start) = (min(steps.count, 2 * parts), 0)
        }
        let end = min(steps.count, start + (steps.count + parts - 1) / parts)
        candidate = Array(steps[..<start] + steps[end...])
        (start, attempts) = (end, attempts - 1)
        return candidate
    }

    /// Continues with the list that was tried last, which failed.
    package mutating func failed() {
        (steps, parts, start) = (candidate, max(2, parts - 1), 0)
    }
}

/// The shortest list that `Shrinking` finds.
package func shrunk<Step>(_ steps: [Step], attemptsMax: Int = 2_000, whileFails fails: ([Step]) -> Bool) -> [Step] {
    var shrinking = Shrinking(steps, attemptsMax: attemptsMax)
    while let shorter = shrinking.next() { if fails(shorter) { shrinking.failed() } }
    return shrinking.steps
}
