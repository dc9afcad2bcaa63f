/// The part of RESP 2 that the benchmarks use.
enum RedisWire {
    /// A command of two or three words; the last may contain any bytes.
    static func command(_ name: String, _ key: String, _ value: [UInt8]? = nil) -> [UInt8] {
        array([Array(name.utf8), Array(key.utf8)] + (value.map { [$0] } ?? []))
    }

    /// The message that a subscriber receives.
    static func message(_ payload: [UInt8], on channel: String) -> [UInt8] {
        array([Array("message".utf8), Array(channel.utf8), payload])
    }

    /// A payload with which that message has `bytes` bytes, or one byte less if none has exactly as
    /// many.
    static func payload(forMessageOf bytes: Int, on channel: String) -> [UInt8] {
        var count = max(0, bytes - message([], on: channel).count)
        func payload() -> [UInt8] { [UInt8](repeating: 0x2e, count: count) }
        while count > 0, message(payload(), on: channel).count > bytes { count -= 1 }
        return payload()
    }

    private static func array(_ words: [[UInt8]]) -> [UInt8] {
        words.reduce(into: Array("*\(words.count)\r\n".utf8)) { bytes, word in
            bytes += Array("$\(word.count)\r\n".utf8) + word + [0x0d, 0x0a]
        }
    }

    /// - Parameter line: A line without its LF.
    static func expect(_ answer: String, in line: [UInt8]) throws(Failure) {
        guard line.dropLast().elementsEqual(answer.utf8) else {
            throw Failure("Redis returned \(String(decoding: line, as: UTF8.self)), not \(answer)")
        }
    }
}
