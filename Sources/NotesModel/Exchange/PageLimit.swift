/// The maximum size of a page. A page always holds at least one revision, however large that is.
package struct PageLimit: Hashable, Sendable {
    /// Maximum number of revisions.
    package var revisionsMax: Int
    /// Maximum number of bytes of edits, plus `revisionOverheadBytes` for each revision.
    package var bytesMax: Int
    /// Maximum number of ranges of commits that are examined; a range has consecutive counters of one
    /// replica. A page may have no revisions for this reason.
    package var rangesMax: Int

    /// Bytes that each revision counts in addition to its edits.
    package static let revisionOverheadBytes = 64

    /// Creates a limit.
    ///
    /// - Precondition: the numbers are at least 1.
    package init(revisionsMax: Int = 1_024, bytesMax: Int = 1 << 20, rangesMax: Int = .max) {
        precondition(revisionsMax >= 1 && bytesMax >= 1 && rangesMax >= 1, "a page has room for a revision")
        self.revisionsMax = revisionsMax
        self.bytesMax = bytesMax
        self.rangesMax = rangesMax
    }
}
