/// The reason for an error, as the word that programs match.
///
/// Kinds and values of `error.code` correspond one to one.
package enum ErrorKind: String, CaseIterable, Hashable, Sendable {
    /// The line is not valid JSON.
    case parseError = "parse_error"
    /// The line is JSON but not a JSON-RPC request.
    case invalidRequest = "invalid_request"
    /// The protocol does not define the method.
    case methodNotFound = "method_not_found"
    /// A parameter is missing, unknown, mistyped or out of range.
    case invalidParams = "invalid_params"
    /// A defect of the daemon.
    case `internal` = "internal"
    /// The connection is not registered yet.
    case helloRequired = "hello_required"
    /// The client and the daemon have no protocol version in common.
    case unsupportedProtocol = "unsupported_protocol"
    /// No note has the id or the name.
    case noteNotFound = "note_not_found"
    /// A note already has the id or the name.
    case noteExists = "note_exists"
    /// The base names a revision that the note does not have.
    case unknownBase = "unknown_base"
    /// The text of the version has been compacted.
    case revisionGone = "revision_gone"
    /// A write has no base.
    case baseRequired = "base_required"
    /// An edit does not fit the text of its base.
    case invalidEdit = "invalid_edit"
    /// The text cannot be a note's name.
    case invalidName = "invalid_name"
    /// The note cannot be purged in its current state.
    case cannotPurge = "cannot_purge"
    /// The bytes of a file are not in this store.
    case fileMissing = "file_missing"
    /// Uploaded bytes do not have the size or the hash that was stated.
    case fileDiffers = "file_differs"
    /// A text for a file, or a file for a text.
    case wrongKind = "wrong_kind"
    /// The disk of the store is full.
    case storageFull = "storage_full"
    /// The store failed.
    case storageFailed = "storage_failed"
    /// The store cannot be written.
    case readOnly = "read_only"
    /// The line exceeds the limit on lines.
    case lineTooLong = "line_too_long"
    /// The note would exceed the limit on notes.
    case noteTooLarge = "note_too_large"
    /// The file would exceed the limit on files.
    case fileTooLarge = "file_too_large"
    /// A limit on queued work or memory is exhausted.
    case overloaded = "overloaded"
    /// The user may not do this.
    case permissionDenied = "permission_denied"
    /// The daemon is stopping.
    case shuttingDown = "shutting_down"

    /// Value of `error.code`: JSON-RPC's own codes below 0, and codes of this protocol from 1001.
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
        case .cannotPurge: 2008
        case .fileMissing: 2009
        case .fileDiffers: 2010
        case .wrongKind: 2011
        case .storageFull: 3001
        case .storageFailed: 3002
        case .readOnly: 3003
        case .lineTooLong: 4001
        case .noteTooLarge: 4002
        case .overloaded: 4003
        case .fileTooLarge: 4004
        case .permissionDenied: 6001
        case .shuttingDown: 7001
        }
    }

    /// Whether the same request may succeed later.
    ///
    /// This is the default for the kind; an error may state otherwise.
    package var isRetryable: Bool {
        switch self {
        case .storageFull, .storageFailed, .overloaded, .shuttingDown: true
        case .parseError, .invalidRequest, .methodNotFound, .invalidParams, .internal, .helloRequired, .unsupportedProtocol,
            .noteNotFound, .noteExists, .unknownBase, .revisionGone, .baseRequired, .invalidEdit, .invalidName, .cannotPurge,
            .fileMissing, .fileDiffers, .wrongKind, .readOnly, .lineTooLong, .noteTooLarge, .fileTooLarge, .permissionDenied:
            false
        }
    }
}
