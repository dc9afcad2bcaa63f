/// The pages of a feed of revisions that were sent and not acknowledged. A receiver that does not read
/// costs the sender these pages, however much it lacks.
///
/// Example:
///
///     send(bytes: 9)          → page 1
///     send(bytes: 1 << 20)    → page 2, and `isOpen` is false
///     acknowledge(through: 1) → 1, and `isOpen` is false
///     acknowledge(through: 9) → 0, because no page 9 was sent
///     acknowledge(through: 2) → 1, and `isOpen` is true
package struct FeedWindow: Sendable {
    /// The limits of a page: revisions, and their bytes unless the page has a single revision.
    package static let pageRevisionsMax = 256
    package static let pageBytesMax = 256 << 10
    /// The number of unacknowledged pages, and their size in bytes, at which no further page is sent.
    package static let pagesMax = 4
    package static let unacknowledgedBytesMax = 1 << 20

    /// The number of the page that was sent last; the first page has number 1.
    private var lastNumber: UInt64 = 0
    /// The sizes of the unacknowledged pages, oldest first.
    private var sizes: [Int] = []

    package init() {}

    /// Whether a page may be sent.
    package var isOpen: Bool {
        sizes.count < Self.pagesMax && sizes.reduce(0, +) < Self.unacknowledgedBytesMax
    }

    /// Records that a page is sent.
    ///
    /// - Returns: its number.
    package mutating func send(bytes: Int) -> UInt64 {
        lastNumber += 1
        sizes.append(bytes)
        return lastNumber
    }

    /// Records that the receiver has the pages up to a number. A number that was not sent changes
    /// nothing.
    ///
    /// - Returns: how many pages were not acknowledged before.
    package mutating func acknowledge(through number: UInt64) -> Int {
        guard number <= lastNumber else { return 0 }
        let count = max(0, sizes.count - Int(clamping: lastNumber - number))
        sizes.removeFirst(count)
        return count
    }
}
