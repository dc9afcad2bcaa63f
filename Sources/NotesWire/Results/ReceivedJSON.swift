/// The JSON of an object as a client received it, including members that this version does not know.
///
/// `notesctl --json` prints it, so that a script sees what a newer daemon adds. All values are equal:
/// an object that was read equals the object that was written.
package struct ReceivedJSON: Hashable, Sendable {
    /// The object's bytes, a slice of the received line.
    package let bytes: ArraySlice<UInt8>

    init(_ value: JSONValue) {
        bytes = value.source
    }

    package static func == (left: ReceivedJSON, right: ReceivedJSON) -> Bool { true }

    package func hash(into hasher: inout Hasher) {}
}

/// An object of the protocol that keeps the JSON from which it was read.
package protocol ReceivedObject {
    /// The JSON that was read; nil for an object that was made here.
    var received: ReceivedJSON? { get }
    /// Writes the object as one JSON value.
    func write(to writer: inout JSONWriter)
}

extension ReceivedObject {
    /// The object as it was received; encoded if it was made here.
    package var json: [UInt8] {
        if let received { return Array(received.bytes) }
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }
}
