package import NoteText
package import StrictJSON

/// The id that connects a response to its request: a string, or an integer within ±2^53.
package enum RequestID: Hashable, Sendable {
    case integer(Int64)
    case string(ByteString)

    /// Reads an id. Nil for anything else: null, numbers with a fraction or exponent (1.0 too), and
    /// integers that some clients' languages cannot represent.
    package init?(_ value: JSONValue) {
        if let integer = value.integer, WireProtocol.integers.contains(integer) {
            self = .integer(integer)
        } else if let string = value.string {
            self = .string(string)
        } else {
            return nil
        }
    }

    package func write(to writer: inout JSONWriter) {
        switch self {
        case .integer(let integer): writer.integer(integer)
        case .string(let string): writer.string(string)
        }
    }
}
