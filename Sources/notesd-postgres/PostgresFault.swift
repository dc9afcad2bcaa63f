/// A failure of the database, as a sentence.
struct PostgresFault: Error {
    /// The SQLSTATE; empty if the server did not send one, for example since the connection ended.
    let state: String
    /// The message of the server or of libpq, in one line.
    let message: String

    /// Whether the same statement may succeed at once: a conflict with a concurrent transaction.
    var isConflict: Bool { ["40001", "40P01", "23505"].contains(state) }

    /// Whether the server's disk has no room for what the statement writes.
    var isFull: Bool { state == "53100" }

    private var isWithoutSchema: Bool { ["3F000", "42883", "42P01"].contains(state) }

    /// What is wrong and what to do.
    var sentence: String {
        if isWithoutSchema {
            return "the database has no schema for notes, or another version of it; an administrator creates it with "
                + "`notesd-postgres init URL`"
        }
        return switch state {
        case "42501": "\(message); an administrator grants access with `notesd-postgres member add URL SPACE ROLE`"
        case "57014": "the server ended a statement: \(message); raise statement_timeout for the role"
        case "25006": "the server accepts no writes: \(message); connect to the primary server"
        case "53100": "the server's disk is full: \(message)"
        default: message
        }
    }

    /// The advice that completes a message of libpq about a failed connection; empty if it needs none.
    static func advice(about message: String, needsPassword: Bool) -> String {
        if needsPassword { return "; put the password into ~/.pgpass, mode 0600" }
        return message.contains("certificate verify failed")
            ? "; name the certificate of the authority that signed the server's with sslrootcert=FILE" : ""
    }

    /// A message in one line, without the prefixes of libpq, at most 500 bytes.
    static func line(_ text: String) -> String {
        let lines = text.split(whereSeparator: \.isNewline).map { line in
            line.drop { $0 == " " || $0 == "\t" }
        }
        let joined = lines.joined(separator: "; ")
        let plain = joined.hasPrefix("ERROR:  ") ? String(joined.dropFirst("ERROR:  ".count)) : joined
        return String(decoding: plain.utf8.prefix(500).map { $0 < 0x20 || $0 == 0x7F ? UInt8(ascii: "?") : $0 }, as: UTF8.self)
    }
}
