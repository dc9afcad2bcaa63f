import NotesMethods
import NotesWire
import StrictJSON

/// The hello with which every connection begins.
extension ClientOptions {
    var greeting: Call {
        .hello(
            HelloParams(
                client: ClientInfo(name: name, version: version), label: label, positionEncodings: positionEncodings))
    }

    /// The error for a daemon that does not limit a connection.
    func notLimited(_ reason: String) -> ClientError {
        .connectionFailed(
            path: socketPath, message: "the daemon cannot limit the rights of a connection: \(reason); update notesd")
    }

    /// The error if no response to hello arrives within `helloTimeout`.
    var notGreeted: ClientError {
        .connectionFailed(path: socketPath, message: "no response to hello within \(helloTimeout)")
    }
}

extension HelloResult {
    static func read(_ value: JSONValue) throws(ClientError) -> HelloResult {
        do throws(ParamFault) {
            return try HelloResult(reading: value)
        } catch {
            throw .protocolViolation("\(error.path) in the response to hello \(error.reason)")
        }
    }
}

extension SessionLimits {
    /// Throws unless a response to `session.limit` confirms these limits.
    func check(_ value: JSONValue, _ options: ClientOptions) throws(ClientError) {
        guard let result = try? LimitResult(reading: value), result.methods == methods,
            access.map({ result.access <= $0 }) ?? true, user == result.user, note == result.note
        else { throw options.notLimited("it confirmed others") }
    }
}

extension ClientError {
    /// The error as a caller gets it if it occurred in response to hello.
    var toHello: ClientError {
        guard case .refused(let error) = self, error.kind == .permissionDenied else { return self }
        return .notAllowed(message: error.message)
    }
}

extension Duration {
    /// The duration in nanoseconds, 0 to `Int64.max` (292 years).
    var nanosecondsClamped: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return seconds < 0 ? 0 : .max }
        let (sum, isOver) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        return isOver ? .max : max(0, sum)
    }
}
