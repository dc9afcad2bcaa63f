extension DotSet: TextForm, CustomStringConvertible {
    package var description: String { textForm }

    /// The largest number of ranges that `init(parsing:)` accepts.
    package static let rangesMax = 1_000_000

    /// Appends the text form that `init(parsing:)` reads: for each replica its id, a colon and its ranges,
    /// such as `aaaaaaaaaaaaaaaa:1-7,9 bbbbbbbbbbbbbbbb:1`. It is empty for the empty set.
    ///
    /// - Complexity: O(ranges).
    package func appendText(to utf8: inout [UInt8]) {
        for (index, replica) in replicas.enumerated() {
            if index > 0 { utf8.append(UInt8(ascii: " ")) }
            replica.appendText(to: &utf8)
            var separator = UInt8(ascii: ":")
            for range in ranges(of: replica) {
                utf8.append(separator)
                separator = UInt8(ascii: ",")
                utf8.append(contentsOf: String(range.lowerBound).utf8)
                guard range.lowerBound < range.upperBound else { continue }
                utf8.append(UInt8(ascii: "-"))
                utf8.append(contentsOf: String(range.upperBound).utf8)
            }
        }
    }

    /// A part of a text that is no set of dots.
    package struct ParseFault: Error, Hashable, Sendable {
        /// The offset of the first byte of the faulty part.
        package let offset: Int

        package init(offset: Int) {
            self.offset = offset
        }
    }

    /// Parses the text form strictly: replicas and ranges ascend, ranges do not touch, and numbers have
    /// no leading zeros.
    ///
    /// - Throws: `ParseFault` for anything that `description` does not produce, and for more than
    ///   `rangesMax` ranges.
    /// - Complexity: O(bytes).
    package init(parsing utf8: [UInt8]) throws(ParseFault) {
        self.init()
        guard !utf8.isEmpty else { return }
        var offset = 0
        var ranges = 0
        var previous: ReplicaID?
        for part in utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false) {
            guard let colon = part.firstIndex(of: UInt8(ascii: ":")), let replica = ReplicaID(parsing: part[..<colon]),
                previous.map({ $0 < replica }) ?? true
            else { throw ParseFault(offset: offset) }
            previous = replica
            var end: UInt64 = 0
            var start = offset + ReplicaID.textBytes + 1
            for range in part[part.index(after: colon)...].split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
                ranges += 1
                guard ranges <= Self.rangesMax, let counters = Self.counters(range), counters.lowerBound > end,
                    end == 0 || counters.lowerBound > end + 1
                else { throw ParseFault(offset: start) }
                insert(counters, of: replica)
                end = counters.upperBound
                start += range.count + 1
            }
            offset += part.count + 1
        }
    }

    /// Parses `7` or `7-9`; nil for anything else, such as `7-7`.
    private static func counters(_ text: ArraySlice<UInt8>) -> ClosedRange<UInt64>? {
        guard let hyphen = text.firstIndex(of: UInt8(ascii: "-")) else { return Dot.counter(text).map { $0...$0 } }
        guard let low = Dot.counter(text[..<hyphen]), let high = Dot.counter(text[(hyphen + 1)...]), low < high else {
            return nil
        }
        return low...high
    }
}
