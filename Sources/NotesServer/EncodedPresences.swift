import Dependents
import NotesModel
import NotesWire

/// `presence.changed` lines as they were encoded last: most dependents are told the same of somebody, whatever they watch.
struct EncodedPresences {
    private struct Key: Hashable {
        let stamp: UInt64
        let encoding: PositionEncoding
    }

    private var encoded: [Key: [UInt8]] = [:]

    /// Then all are forgotten.
    private static let linesMax = 256

    /// With its LF.
    mutating func line(_ line: PresenceLine, encoding: PositionEncoding) -> [UInt8] {
        let key = Key(stamp: line.stamp, encoding: encoding)
        if let bytes = encoded[key] { return bytes }
        let bytes = PresenceChanged(line, encoding).line()
        if encoded.count >= Self.linesMax { encoded.removeAll(keepingCapacity: true) }
        encoded[key] = bytes
        return bytes
    }
}
