import Causality
import TextMerge

/// Computes the text that undoes a change, for a version that includes the change.
enum UndoText {
    /// Merges the reversal of the change with all later edits as two concurrent edits; an edit that
    /// both make is made once. Returns nil if a later edit touches the change: then the daemon must
    /// merge, and marks a conflict.
    ///
    /// - Parameters:
    ///   - before: the text that the change was based on.
    ///   - after: the text that the change wrote.
    ///   - now: the text that it has become.
    static func text(before: [UInt8], after: [UInt8], now: [UInt8]) -> [UInt8]? {
        let back = LineDiff.edits(from: after, to: before)
        let since = LineDiff.edits(from: after, to: now)
        for edit in back {
            for other in since where edit != other && edit.start <= other.end && other.start <= edit.end { return nil }
        }
        return back.transformed(over: since, inserting: .before).applied(to: now)
    }
}
