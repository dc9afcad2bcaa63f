package import StrictJSON

/// The `result` member of a method's response, as the daemon writes it and a client reads it.
///
/// A client ignores members that it does not know. A known member that it cannot read is a fault of
/// the daemon, reported with its path.
package protocol WireResult: Hashable, Sendable {
    /// Writes the result as one JSON value.
    func write(to writer: inout JSONWriter)
    /// Reads the result.
    ///
    /// - Throws: `ParamFault` with a path relative to the result.
    init(reading value: JSONValue) throws(ParamFault)
}

extension WireResult {
    /// Writes the response line, including its LF.
    func write(to writer: inout JSONWriter, id: RequestID) {
        writer.object { line in
            line.member("jsonrpc", "2.0")
            line.name("id")
            id.write(to: &line)
            line.name("result")
            write(to: &line)
        }
        writer.endLine()
    }

    /// The response line, including its LF.
    package func line(id: RequestID) -> [UInt8] {
        var writer = JSONWriter()
        write(to: &writer, id: id)
        return writer.bytes
    }
}

/// Result of methods that return nothing, such as `session.ping`: an empty object.
package struct EmptyResult: WireResult {
    package init() {}

    package init(reading value: JSONValue) throws(ParamFault) {
        _ = try ParamReader(value)
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { _ in }
    }
}

/// Result of `rpc.discover`: an OpenRPC document.
package struct DocumentResult: WireResult {
    /// The document as JSON.
    package let json: [UInt8]

    package init(json: [UInt8]) {
        self.json = json
    }

    package init(reading value: JSONValue) throws(ParamFault) {
        json = Array(value.source)
    }

    package func write(to writer: inout JSONWriter) {
        writer.raw(json)
    }
}
