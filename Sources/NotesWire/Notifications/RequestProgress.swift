import StrictJSON

/// `progress`: the progress of a request whose response is still to come.
package struct RequestProgress: Hashable, Sendable {
    /// The request's id.
    package var id: RequestID
    /// Completed units of work. The unit depends on the method.
    package var done: Int
    /// Expected units of work.
    package var total: Int

    package init(id: RequestID, done: Int, total: Int) {
        self.id = id
        self.done = done
        self.total = total
    }

    /// The notification line, including its LF.
    package func line() -> [UInt8] {
        .notification("progress") { params in
            params.name("id")
            id.write(to: &params)
            params.member("done", done)
            params.member("total", total)
        }
    }

    init(reading params: JSONValue) throws(ParamFault) {
        id = try params.required("id") { (value) throws(ParamFault) -> RequestID in
            guard let id = RequestID(value) else { throw ParamFault(path: "", reason: "is not a request id") }
            return id
        }
        done = try params.required("done", Param.count)
        total = try params.required("total", Param.count)
    }
}
