import Console
import NoteTasks
import NotesModel
import TextMerge

/// Lines that a save of a file took out of its note although the notes or another program had brought them
/// within a day. People want to know of them: the rule may have been wrong, or they did not see the lines.
struct TakenLines: Hashable, Sendable {
    let count: Int
    /// When the newest of them came into the file.
    let came: Timestamp

    /// Such as `2 lines that came 5 min ago`.
    func text(at time: Timestamp) -> String {
        "\(counted(count, "line")) that came \(RelativeTime.ago(came, now: time, local: Clock.local(came)))"
    }
}

extension BaseRule {
    /// R13: the lines with a letter that X lacks, and that came into the file within a day, since its oldest
    /// text. A line of a program counts if it came after the floor (R4): X does not show that its writer had it.
    /// Lines that others took the place of count as altered.
    ///
    /// - Parameter base: the number of the base of X.
    /// - Returns: nil if there are none, and for git.
    func takenOut(on base: Int) -> TakenLines? {
        guard way != .git, let index = shown.index(of: base) else { return nil }
        let (entries, there, proven) = (shown.entries, shown.entries[index].text.lines, floor)
        var (count, came) = (0, Int64.min)
        for hunk in diff(there, text.lines) {
            let letters = hunk.old.count { there[$0].hasLetter } - hunk.new.count { text.lines[$0].hasLetter }
            guard letters > 0 else { continue }
            let times = hunk.old.compactMap { position -> Int64? in
                let line = there[position]
                guard line.hasLetter, let birth = birth[line], birth > 0, counts[index][line, default: 0] > own[line, default: 0],
                    entries[birth].kind == .mirror || birth > proven, time - entries[birth].time < ShownTexts.dayTime
                else { return nil }
                return entries[birth].time
            }
            count += min(times.count, letters)
            came = max(came, times.max() ?? came)
        }
        return count > 0 ? TakenLines(count: count, came: Timestamp(milliseconds: came)) : nil
    }
}
