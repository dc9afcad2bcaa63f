/// The state of a note at a critical version, from which a view starts.
package struct ViewFloor: Sendable {
    /// The text. If the note is deleted it is ignored: a write that restores the note removes the
    /// old text anyway.
    package let text: [UInt8]
    /// The last LF and its register, whether or not the note is deleted (`View.lastLineFeed`).
    package let lastLine: LastLineFeed
    /// Whether the note is deleted.
    package let isDeleted: Bool
    /// The conflicts that are unresolved (`View.keptConflicts`).
    package let conflicts: [KeptConflict]

    package init(text: [UInt8], lastLine: LastLineFeed, isDeleted: Bool, conflicts: [KeptConflict]) {
        self.text = text
        self.lastLine = lastLine
        self.isDeleted = isDeleted
        self.conflicts = conflicts
    }
}
