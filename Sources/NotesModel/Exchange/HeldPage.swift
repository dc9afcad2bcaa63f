/// A place in the holding area, in the order of pages: the quarantined revisions, then those that wait.
package struct HeldPlace: Hashable, Sendable {
    /// The area.
    package var area: HoldingArea
    /// The number of the row in the area; the page continues after it.
    package var number: UInt64

    package init(_ area: HoldingArea, after number: UInt64) {
        self.area = area
        self.number = number
    }
}

/// A page of the holding area.
package struct HeldPage: Hashable, Sendable {
    /// The revisions: first those that were not accepted, then those that wait, each in order of arrival.
    package var revisions: [HeldRevision]
    /// The place after which the next page begins; nil on the last page.
    package var next: HeldPlace?
    /// The number of all revisions in quarantine.
    package var quarantined: Int
    /// The number of all revisions that wait for their parents.
    package var waiting: Int

    package init(revisions: [HeldRevision], next: HeldPlace?, quarantined: Int, waiting: Int) {
        self.revisions = revisions
        self.next = next
        self.quarantined = quarantined
        self.waiting = waiting
    }
}
