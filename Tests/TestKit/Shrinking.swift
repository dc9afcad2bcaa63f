/// Removes steps from a failing list as long as it still fails: delta debugging (Zeller and
/// Hildebrandt, 2002), down to a list from which no single step can be removed.
///
/// - Parameter attemptsMax: the number of attempts after which the shortest list so far is
///   returned.
package func shrunk<Step>(_ steps: [Step], attemptsMax: Int = 2_000, whileFails fails: ([Step]) -> Bool) -> [Step] {
    var steps = steps
    var attempts = 0
    var parts = 2
    while steps.count > 1, attempts < attemptsMax {
        let length = (steps.count + parts - 1) / parts
        var isShorter = false
        for start in stride(from: 0, to: steps.count, by: length) {
            let rest = Array(steps[..<start] + steps[min(steps.count, start + length)...])
            attempts += 1
            if fails(rest) {
                (steps, isShorter) = (rest, true)
                break
            }
        }
        if isShorter {
            parts = max(2, parts - 1)
        } else if parts < steps.count {
            parts = min(steps.count, 2 * parts)
        } else {
            break
        }
    }
    return steps
}
