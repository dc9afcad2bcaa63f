/// Divides the input of a language server into bodies, each of which follows a header with its length.
///
/// A header that breaks a rule is reported once. The framer then continues at the next `Content-Length:`.
package struct ContentFramer {
    /// A part of the input.
    package enum Event: Hashable, Sendable {
        case body([UInt8])
        /// A message that cannot be read, with the reason.
        case fault(String)
    }

    private enum State: Equatable {
        case header
        case body(Int)
        /// The rest of a body that is too long.
        case skipping(Int)
        /// A header broke a rule, so the start of the next message is unknown.
        case lost
    }

    private var buffer: [UInt8] = []
    /// The number of bytes at the start of the buffer that were used.
    private var used = 0
    private var state = State.header

    private static let name = Array("content-length:".utf8)
    private static let end = Array("\r\n\r\n".utf8)

    package init() {}

    package mutating func receive(_ bytes: some Collection<UInt8>) {
        buffer.removeFirst(used)
        used = 0
        buffer += bytes
    }

    /// The next part; nil if more input is needed.
    package mutating func next() -> Event? {
        while true {
            switch state {
            case .header:
                guard let event = header() else { return nil }
                if let fault = event { return .fault(fault) }
            case .body(let length):
                guard buffer.count - used >= length else { return nil }
                defer { used += length }
                state = .header
                return .body(Array(buffer[used..<used + length]))
            case .skipping(let count):
                let skipped = min(count, buffer.count - used)
                used += skipped
                state = skipped == count ? .header : .skipping(count - skipped)
                guard skipped == count else { return nil }
            case .lost:
                guard let start = offset(of: Self.name, from: used) else {
                    used = max(used, buffer.count - Self.name.count + 1)
                    return nil
                }
                used = start
                state = .header
            }
        }
    }

    /// Reads a header. Returns nil if it is not complete, and a reason if it breaks a rule.
    private mutating func header() -> String?? {
        let most = LanguageProtocol.headerBytesMax
        guard let end = offset(of: Self.end, from: used, within: most) else {
            guard buffer.count - used >= most else { return nil }
            used += 1
            state = .lost
            return .some("the header of a message exceeds \(most) bytes")
        }
        let fields = buffer[used..<end]
        used = end + Self.end.count
        switch Self.length(fields) {
        case .failure(let fault):
            state = .lost
            return .some(fault.reason)
        case .success(let length) where length > LanguageProtocol.bodyBytesMax:
            state = .skipping(length)
            return .some("a message of \(length) bytes exceeds the limit of \(LanguageProtocol.bodyBytesMax)")
        case .success(let length):
            state = .body(length)
            return .some(nil)
        }
    }

    private struct Fault: Error { let reason: String }

    /// The length that the fields of a header state.
    private static func length(_ fields: ArraySlice<UInt8>) -> Result<Int, Fault> {
        var found: Int?
        for line in String(decoding: fields, as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: false) {
            guard let colon = line.firstIndex(of: ":") else {
                return .failure(Fault(reason: "a line of the header has no colon; a field is NAME: VALUE"))
            }
            guard line[..<colon].lowercased() == "content-length" else { continue }
            let digits = line[line.index(after: colon)...].drop { $0 == " " }
            guard found == nil, (1...15).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = Int(digits)
            else {
                return .failure(Fault(reason: "the header must have one Content-Length with a number of bytes"))
            }
            found = number
        }
        guard let found else { return .failure(Fault(reason: "the header has no Content-Length")) }
        return .success(found)
    }

    /// Where bytes begin, with ASCII letters in any case.
    private func offset(of bytes: [UInt8], from start: Int, within most: Int = .max) -> Int? {
        let last = min(buffer.count - bytes.count, start.addingReportingOverflow(most).overflow ? .max : start + most)
        guard start <= last else { return nil }
        return (start...last).first { offset in
            bytes.indices.allSatisfy { index in
                let byte = buffer[offset + index]
                return ((0x41...0x5A).contains(byte) ? byte | 0x20 : byte) == bytes[index]
            }
        }
    }
}
