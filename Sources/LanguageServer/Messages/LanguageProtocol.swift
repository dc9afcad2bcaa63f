import StrictJSON

/// Names and limits of the Language Server Protocol, as far as `notesctl lsp` implements it.
package enum LanguageProtocol {
    /// Longest header of a message, in bytes.
    static let headerBytesMax = 4_096
    /// Longest body of a message, in bytes. A document of 4 MiB fits in whatever way its bytes are escaped.
    static let bodyBytesMax = 32 * 1_024 * 1_024
    /// Deepest nesting of arrays and objects in a body.
    static let depthMax = 64
    /// Longest id of a request, in bytes of JSON. A response repeats the id.
    static let idBytesMax = 1_024
    /// Most requests without a response. Further ones are refused.
    static let requestsMax = 256
    /// Most open documents. Further ones get no answers.
    static let documentsMax = 1_000

    /// Values of `error.code`: those of JSON-RPC, and those of the protocol.
    enum ErrorCode: Int {
        case parseError = -32700
        case invalidRequest = -32600
        case methodNotFound = -32601
        case invalidParams = -32602
        case internalError = -32603
        case serverNotInitialized = -32002
        case requestFailed = -32803
        case requestCancelled = -32800
    }

    /// Values of `type` in `window/showMessage`.
    enum MessageType: Int {
        case error = 1
        case warning = 2
        case info = 3
    }
}

/// The id of a request: a string or a number, as the bytes that the client sent.
struct LanguageRequestID: Hashable, Sendable {
    let json: [UInt8]

    /// Returns nil for a value of another type, and for one that is too long to repeat.
    init?(_ value: JSONValue) {
        guard value.kind == .string || value.kind == .number, value.source.count <= LanguageProtocol.idBytesMax else {
            return nil
        }
        json = Array(value.source)
    }
}

/// A fault of a request, which its response reports.
struct LanguageFault: Error, Hashable {
    let code: LanguageProtocol.ErrorCode
    let message: String

    init(_ code: LanguageProtocol.ErrorCode, _ message: String) {
        self.code = code
        self.message = message
    }

    static let cancelled = LanguageFault(.requestCancelled, "the editor cancelled the request")
}
