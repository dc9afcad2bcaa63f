import CLinux

/// A line of the daemon, parsed as little as possible, so that reading it does not distort the
/// measurement.
struct Response {
    let line: [UInt8]

    /// Returns the response, or throws the error that the daemon returned.
    func result() throws(Failure) -> Response {
        guard has(Keys.result) else { throw Failure("the daemon returned \(start)") }
        return self
    }

    var isNotification: Bool { line.starts(with: Self.notificationStart) }
    var isSynced: Bool { line.starts(with: Self.syncedStart) }
    var isBookmark: Bool { line.starts(with: Self.bookmarkStart) }

    private static let notificationStart = Array(#"{"jsonrpc":"2.0","method":"#.utf8)
    private static let syncedStart = Array(#"{"jsonrpc":"2.0","method":"watch.synced""#.utf8)
    private static let bookmarkStart = Array(#"{"jsonrpc":"2.0","method":"watch.bookmark""#.utf8)

    /// The first member of this name whose value is a string; does not decode escapes.
    func string(_ key: Key) -> String? {
        line.withUnsafeBytes { bytes -> String? in
            guard let start = bytes.place(of: key.stringStart) else { return nil }
            let value = bytes[(start + key.stringStart.count)...]
            return value.firstIndex(of: UInt8(ascii: "\"")).map { String(decoding: value[..<$0], as: UTF8.self) }
        }
    }

    /// All members of this name whose values are strings; does not decode escapes.
    func strings(_ key: Key) -> [String] {
        var found: [String] = []
        line.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while let start = UnsafeRawBufferPointer(rebasing: rest).place(of: key.stringStart) {
                rest = rest.dropFirst(start + key.stringStart.count)
                let value = rest.prefix { $0 != UInt8(ascii: "\"") }
                found.append(String(decoding: value, as: UTF8.self))
                rest = rest.dropFirst(value.count)
            }
        }
        return found
    }

    func required(_ key: Key) throws(Failure) -> String {
        guard let value = string(key) else { throw Failure("the daemon's line lacks a member: \(start)") }
        return value
    }

    /// The first member of this name, a number without a sign.
    func requiredNumber(_ key: Key) throws(Failure) -> Int {
        let digits = line.withUnsafeBytes { bytes in
            bytes.place(of: key.bytes).map { bytes[($0 + key.bytes.count)...].prefix { 0x30...0x39 ~= $0 } }.map(Array.init)
        }
        guard let digits, let number = Int(String(decoding: digits, as: UTF8.self)) else {
            throw Failure("the line lacks a number: \(start)")
        }
        return number
    }

    /// The beginning of the line, for messages.
    private var start: String { String(decoding: line.prefix(300), as: UTF8.self) }

    func has(_ key: Key) -> Bool {
        line.withUnsafeBytes { $0.place(of: key.bytes) != nil }
    }

    /// A member's name with its quotes and colon.
    struct Key {
        let bytes: [UInt8]
        /// The name with the opening quote of its value.
        let stringStart: [UInt8]

        init(_ name: String) {
            bytes = Array("\"\(name)\":".utf8)
            stringStart = bytes + [UInt8(ascii: "\"")]
        }
    }
}

enum Keys {
    static let id = Response.Key("id")
    static let version = Response.Key("version")
    static let cursor = Response.Key("cursor")
    static let next = Response.Key("next")
    static let watch = Response.Key("watch")
    static let seq = Response.Key("seq")
    static let left = Response.Key("left")
    static let result = Response.Key("result")
}

extension UnsafeRawBufferPointer {
    /// Offset of the first occurrence of `needle`.
    func place(of needle: [UInt8]) -> Int? {
        guard let baseAddress, let found = memmem(baseAddress, count, needle, needle.count) else { return nil }
        return UnsafeRawPointer(found) - baseAddress
    }
}
