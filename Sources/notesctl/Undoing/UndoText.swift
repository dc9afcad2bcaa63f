import Causality
import TextMerge

/// The text that takes a change back, on a version of which the change is a part.
enum UndoText {
    /// Nil where what came since touches what the change changed: then it is for the daemon to merge it, which marks a conflict.
    ///
    /// What was changed and what came since are merged as two that wrote beside each other: equal changes are made once.
    ///
    /// - Parameters:
    ///   - before: what the change's writer had been shown.
    ///   - after: what he made of it.
    ///   - now: what that became.
    static func text(before: [UInt8], after: [UInt8], now: [UInt8]) -> [UInt8]? {
        let back = LineDiff.edits(from: after, to: before)
        let since = LineDiff.edits(from: after, to: now)
        for edit in back {
            for other in since where edit != other && edit.start <= other.end && other.start <= edit.end { return nil }
        }
        return back.transformed(over: since, inserting: .before).applied(to: now)
    }
}
