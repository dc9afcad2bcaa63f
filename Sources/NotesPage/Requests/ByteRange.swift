import NIOHTTP1

/// The bytes of a file that a request asks for (RFC 9110, 14).
enum ByteRange: Hashable {
    case all
    case part(Range<Int>)
    /// There are no such bytes.
    case outside

    /// Reads the header `Range` of a request for a file. Several ranges, and what is no range of bytes, count as none.
    ///
    /// - Parameters:
    ///   - size: the bytes of the file.
    ///   - tag: the tag of the file, which the header `If-Range` must name.
    init(of request: PageRequest, size: Int, tag: String) {
        self = .all
        guard request.method == .GET, let words = request.only("Range"), words.hasPrefix("bytes=") else { return }
        if !request.headers["If-Range"].isEmpty, request.only("If-Range") != tag { return }
        let ends = words.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]) else { return }
        switch (first, last) {
        case (nil, nil): return
        case (nil, let count?): self = count > 0 && size > 0 ? .part(max(0, size - count)..<size) : .outside
        case (let first?, let last):
            if let last, last < first { return }
            self = first < size ? .part(first..<min(size, (last ?? size - 1) + 1)) : .outside
        }
    }

    /// The number that decimal digits denote, at most 2^53; `.some(nil)` for no digits, and nil for other words.
    private static func number(_ digits: Substring) -> Int?? {
        if digits.isEmpty { return .some(nil) }
        guard digits.utf8.count <= 15, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int(digits) else { return nil }
        return .some(number)
    }
}
