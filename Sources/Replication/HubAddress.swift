/// The address of a hub: a space in a PostgreSQL database, such as
/// `postgres://ada@db.example/notes?space=team`.
///
/// It is a connection URI of libpq with one more parameter, `space`.
package struct HubAddress: Hashable, Sendable {
    /// Longest address, in bytes.
    package static let bytesMax = 2_048
    /// Longest name of a space, in bytes.
    package static let spaceBytesMax = 64

    /// The address as it was given.
    package let text: String
    /// The connection URI, without `space`.
    package let database: String
    /// The name of the space; nil if the address names none.
    package let space: String?

    /// The reason why a text is no address of a hub, as a clause about the address.
    package enum Fault: Error, Hashable, Sendable {
        case notPostgres, tooLong, unprintable, space, spaceTwice

        /// The reason, for people.
        package var text: String {
            switch self {
            case .notPostgres: "it must begin with postgres:// or postgresql://"
            case .tooLong: "it has more than \(HubAddress.bytesMax) bytes"
            case .unprintable: "it contains white space or control characters; write them as %20"
            case .space: "the name of a space is 1 to \(HubAddress.spaceBytesMax) of a-z, 0-9, -, _ and ."
            case .spaceTwice: "it names two spaces"
            }
        }
    }

    /// Parses an address.
    package init(_ text: String) throws(Fault) {
        guard Self.isHub(text) else { throw .notPostgres }
        guard text.utf8.count <= Self.bytesMax else { throw .tooLong }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { throw .unprintable }
        self.text = text
        guard let mark = text.firstIndex(of: "?") else {
            (database, space) = (text, nil)
            return
        }
        var others: [Substring] = []
        var found: String?
        for part in text[text.index(after: mark)...].split(separator: "&") {
            guard part.hasPrefix("space=") else {
                others.append(part)
                continue
            }
            guard found == nil else { throw .spaceTwice }
            found = String(part.dropFirst("space=".count))
        }
        if let found, !Self.isSpace(found) { throw .space }
        space = found
        database = String(text[..<mark]) + (others.isEmpty ? "" : "?" + others.joined(separator: "&"))
    }

    /// Whether a text begins as the address of a hub does.
    package static func isHub(_ text: String) -> Bool { text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") }

    /// Whether a text can name a space.
    package static func isSpace(_ text: String) -> Bool {
        (1...spaceBytesMax).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
                    UInt8(ascii: "_"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }

    /// Whether the address contains a password. A parameter whose name is written with `%` may hide one.
    package var hasPassword: Bool {
        let rest = database[(database.firstRange(of: "://")?.upperBound ?? database.startIndex)...]
        let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let authority = (parts.first ?? "").split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).first ?? ""
        if let at = authority.lastIndex(of: "@"), authority[..<at].contains(":") { return true }
        guard parts.count == 2 else { return false }
        return parts[1].split(separator: "&").contains { part in
            let name = part.prefix { $0 != "=" }
            return name.contains("%") || name == "password" || name == "sslpassword"
        }
    }
}
