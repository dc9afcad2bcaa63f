/// The globally unique name of one revision: the replica that made it, and its number among that
/// replica's revisions.
///
/// Written `<replica>:<counter>`. Ordered by replica, then by counter as a number.
package struct Dot: Hashable, Comparable, Sendable {
    /// The run of the daemon that made the revision.
    package let replica: ReplicaID
    /// The revision's number among those of the replica, for all notes together: 1 to `counterMax`.
    package let counter: UInt64

    /// Creates a dot.
    ///
    /// - Precondition: `counter` is from 1 to `counterMax`.
    package init(_ replica: ReplicaID, _ counter: UInt64) {
        precondition(
            counter >= 1 && counter <= Self.counterMax, "a counter is 1 to 2^63 - 1: a store keeps it as a signed number")
        self.replica = replica
        self.counter = counter
    }

    /// Parses `<replica>:<counter>`; nil for anything else, such as a replica of another length, a
    /// character that is not a digit, a leading zero, or a counter above `counterMax`.
    package init?(parsing utf8: some BidirectionalCollection<UInt8>) {
        guard let colon = utf8.firstIndex(of: UInt8(ascii: ":")),
            let replica = ReplicaID(parsing: utf8[..<colon]),
            let counter = Self.counter(utf8[utf8.index(after: colon)...])
        else { return nil }
        self.replica = replica
        self.counter = counter
    }

    /// The greatest counter, 2^63 - 1: the store keeps counters as signed 64-bit numbers.
    package static let counterMax = UInt64(Int64.max)

    /// Parses the decimal digits of a counter; nil for anything but a number from 1 to `counterMax`
    /// without leading zeros.
    static func counter(_ digits: some Collection<UInt8>) -> UInt64? {
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

extension Dot: TextForm, CustomStringConvertible {
    package var description: String { textForm }

    /// Appends the text form that `init(parsing:)` reads.
    package func appendText(to utf8: inout [UInt8]) {
        replica.appendText(to: &utf8)
        utf8.append(UInt8(ascii: ":"))
        utf8.append(contentsOf: String(counter).utf8)
    }
}
