/// The unique name of one revision in the whole world: which run of which daemon made it, and as its how-manieth.
///
/// Written `<replica>:<counter>`. Ordered by replica, then by counter as a number. Counters start at 1.
package struct Dot: Hashable, Comparable, Sendable {
    package let replica: ReplicaID
    package let counter: UInt64

    /// - Precondition: `counter` is at least 1 and at most `counterMax`.
    package init(_ replica: ReplicaID, _ counter: UInt64) {
        precondition(
            counter >= 1 && counter <= Self.counterMax, "a counter is 1 to 2^63 - 1: a store keeps it as a signed number")
        self.replica = replica
        self.counter = counter
    }

    /// Reads `<replica>:<counter>`; nil for anything else: another length of the replica, no digits, a leading zero, a
    /// counter over `counterMax`.
    package init?(parsing utf8: some BidirectionalCollection<UInt8>) {
        guard let colon = utf8.firstIndex(of: UInt8(ascii: ":")),
            let replica = ReplicaID(parsing: utf8[..<colon]),
            let counter = Self.parseCounter(utf8[utf8.index(after: colon)...])
        else { return nil }
        self.replica = replica
        self.counter = counter
    }

    package static let counterMax = UInt64(Int64.max)

    private static func parseCounter(_ digits: some Collection<UInt8>) -> UInt64? {
        guard let first = digits.first, first != UInt8(ascii: "0") else { return nil }
        var counter: UInt64 = 0
        for byte in digits {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
            let (tens, overTen) = counter.multipliedReportingOverflow(by: 10)
            let (sum, overOne) = tens.addingReportingOverflow(UInt64(byte - UInt8(ascii: "0")))
            guard !overTen, !overOne, sum <= counterMax else { return nil }
            counter = sum
        }
        return counter
    }

    package static func < (left: Dot, right: Dot) -> Bool {
        left.replica == right.replica ? left.counter < right.counter : left.replica < right.replica
    }
}

extension Dot: CustomStringConvertible {
    package var description: String { "\(replica):\(counter)" }
}
