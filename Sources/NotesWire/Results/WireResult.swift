/// `result` of one method's answers, as the daemon writes it and a client reads it.
///
/// A client ignores members that it does not know; what it knows and cannot read is a fault of the daemon's, told with its path.
package protocol WireResult: Hashable, Sendable {
    func write(to writer: inout JSONWriter)
    /// - Throws: `ParamFault`, its path from the result on.
    init(reading value: JSONValue) throws(ParamFault)
}

extension WireResult {
    /// The answer to a request, with its LF.
    package func line(id: RequestID) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { line in
            line.member("jsonrpc", "2.0")
            line.name("id")
            id.write(to: &line)
            line.name("result")
            write(to: &line)
        }
        writer.endLine()
        return writer.bytes
    }
}

/// Of `session.ping` and `notes.unwatch`: nothing but that it is done.
package struct EmptyResult: WireResult {
    package init() {}

    package init(reading value: JSONValue) throws(ParamFault) {
        _ = try ParamReader(value)
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { _ in }
    }
}

/// Of `rpc.discover`: a JSON text of its own.
package struct DocumentResult: WireResult {
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
