package import NotesModel

/// What an answer is told from others by: a string, or an integer within ±2^53.
package enum RequestID: Hashable, Sendable {
    case integer(Int64)
    case string(ByteString)

    /// Nil for anything else: null, fractions (1.0 too), and numbers that some clients' languages cannot hold.
    package init?(_ value: JSONValue) {
        if let integer = value.integer, WireProtocol.integers.contains(integer) {
            self = .integer(integer)
        } else if let string = value.string {
            self = .string(string)
        } else {
            return nil
        }
    }

    func write(to writer: inout JSONWriter) {
        switch self {
        case .integer(let integer): writer.integer(integer)
        case .string(let string): writer.string(string)
        }
    }
}
