import Dependents
import NotesModel
import NotesWire

/// Cache of encoded `presence.changed` lines. The line of a change of presence is the same for all
/// dependents with the same encoding.
struct EncodedPresences {
    private struct Key: Hashable {
        let stamp: UInt64
        let encoding: PositionEncoding
    }

    private var encoded: [Key: [UInt8]] = [:]

    /// Number of lines at which the cache is emptied.
    private static let linesMax = 256

    /// The encoded line with its line feed.
    mutating func line(_ line: PresenceLine, encoding: PositionEncoding) -> [UInt8] {
        let key = Key(stamp: line.stamp, encoding: encoding)
        if let bytes = encoded[key] { return bytes }
        let bytes = PresenceChanged(line, encoding).line()
        if encoded.count >= Self.linesMax { encoded.removeAll(keepingCapacity: true) }
        encoded[key] = bytes
        return bytes
    }
}
