/// Why a request was refused: the word that programs match, one to one with `error.code`.
package enum ErrorKind: String, CaseIterable, Hashable, Sendable {
    case parseError = "parse_error"
    case invalidRequest = "invalid_request"
    case methodNotFound = "method_not_found"
    case invalidParams = "invalid_params"
    case `internal` = "internal"
    case helloRequired = "hello_required"
    case unsupportedProtocol = "unsupported_protocol"
    case noteNotFound = "note_not_found"
    case noteExists = "note_exists"
    case unknownBase = "unknown_base"
    case revisionGone = "revision_gone"
    case baseRequired = "base_required"
    case invalidEdit = "invalid_edit"
    case invalidName = "invalid_name"
    case storageFull = "storage_full"
    case storageFailed = "storage_failed"
    case readOnly = "read_only"
    case lineTooLong = "line_too_long"
    case noteTooLarge = "note_too_large"
    case overloaded = "overloaded"
    case permissionDenied = "permission_denied"
    case shuttingDown = "shutting_down"

    package var code: Int {
        switch self {
        case .parseError: -32700
        case .invalidRequest: -32600
        case .methodNotFound: -32601
        case .invalidParams: -32602
        case .internal: -32603
        case .helloRequired: 1001
        case .unsupportedProtocol: 1002
        case .noteNotFound: 2001
        case .noteExists: 2002
        case .unknownBase: 2003
        case .revisionGone: 2004
        case .baseRequired: 2005
        case .invalidEdit: 2006
        case .invalidName: 2007
        case .storageFull: 3001
        case .storageFailed: 3002
        case .readOnly: 3003
        case .lineTooLong: 4001
        case .noteTooLarge: 4002
        case .overloaded: 4003
        case .permissionDenied: 6001
        case .shuttingDown: 7001
        }
    }

    /// Whether the same request may pass later, nothing else being known. An unknown base is decided case by case.
    package var isRetryable: Bool {
        switch self {
        case .storageFull, .storageFailed, .overloaded, .shuttingDown: true
        case .parseError, .invalidRequest, .methodNotFound, .invalidParams, .internal, .helloRequired, .unsupportedProtocol,
            .noteNotFound, .noteExists, .unknownBase, .revisionGone, .baseRequired, .invalidEdit, .invalidName, .readOnly,
            .lineTooLong, .noteTooLarge, .permissionDenied:
            false
        }
    }
}
