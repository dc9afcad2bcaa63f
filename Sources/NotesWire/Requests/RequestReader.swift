import NoteText
package import NotesMethods
import StrictJSON

/// The result of reading one line of a client.
package enum IncomingLine: Hashable, Sendable {
    /// A valid request, which gets a response.
    case request(id: RequestID, Call)
    /// An invalid request, which gets the error as its response. `id` is nil if the line has no
    /// valid id.
    case refused(id: RequestID?, WireError)
    /// A valid request without an id, of a method that allows that. It gets no response, whatever
    /// its outcome.
    case unanswered(Call)
    /// An invalid request without an id, of a method that allows that. Nothing is executed or sent.
    case dropped(WireError)
}

/// Reads the lines that a client sends.
package struct RequestReader: Sendable {
    /// Deepest nesting that is accepted.
    package let depthMax: Int

    /// Makes a reader with a depth limit.
    package init(depthMax: Int = WireLimits().depthMax) {
        self.depthMax = depthMax
    }

    /// Reads one line.
    ///
    /// - Parameters:
    ///   - line: the line without its LF.
    ///   - isRegistered: whether the connection's hello was accepted.
    /// - Complexity: O(n), as `JSONDocument.init(parsing:depthMax:)`.
    package func read(_ line: [UInt8], isRegistered: Bool) -> IncomingLine {
        let document: JSONDocument
        do {
            document = try JSONDocument(parsing: line, depthMax: depthMax)
        } catch {
            return .refused(id: nil, .parseError(error))
        }
        let envelope: Envelope
        do {
            envelope = try Envelope(document) { Method.named($0)?.has(.unanswered) == true }
        } catch {
            return .refused(id: error.id, error.reason)
        }
        do {
            let call = try call(envelope, isRegistered: isRegistered)
            return envelope.id.map { .request(id: $0, call) } ?? .unanswered(call)
        } catch {
            return envelope.id.map { .refused(id: $0, error) } ?? .dropped(error)
        }
    }

    private func call(_ envelope: Envelope, isRegistered: Bool) throws(WireError) -> Call {
        let method = Method.named(envelope.method)
        guard isRegistered || method?.has(.beforeHello) == true else { throw .helloRequired }
        if let fault = envelope.nullFault { throw .invalidParams(fault) }
        guard let method else { throw .methodNotFound(envelope.method) }
        if isRegistered && method == .hello { throw .helloTwice }
        let call: Call
        do {
            let params = try ParamReader(envelope.params)
            call = try Call(method, params)
        } catch {
            throw .invalidParams(error.inside("params"))
        }
        if case .hello(let hello) = call, !hello.protocols.contains(Int64(WireProtocol.version)) { throw .unsupportedProtocol }
        return call
    }
}
