package import Causality
package import NoteText
package import NotesModel
import StrictJSON

/// The `error` member of a response.
///
/// The message is for people and says what is wrong, where, and what to do. Programs use the kind
/// and the details.
package struct WireError: Error, Hashable, Sendable {
    /// The reason for the error.
    package let kind: ErrorKind
    /// One sentence or two for people, without a full stop at the end.
    package let message: String
    /// Whether the same request may succeed later.
    package let isRetryable: Bool
    /// Members of `data` besides `kind` and `retryable`, in the order in which they are written.
    package let details: [Detail]

    /// Makes an error.
    ///
    /// - Parameter isRetryable: nil for the default of the kind.
    package init(_ kind: ErrorKind, _ message: String, isRetryable: Bool? = nil, details: [Detail] = []) {
        self.kind = kind
        self.message = message
        self.isRetryable = isRetryable ?? kind.isRetryable
        self.details = details
    }

    /// A member of `data` besides `kind` and `retryable`.
    package enum Detail: Hashable, Sendable {
        /// Path of the offending value in the request, such as `params.edits[3].start`.
        case path(String)
        /// Byte offset in the line, or in the value that `path` names.
        case offset(Int)
        /// The note's current version, or the oldest version whose text is still held.
        case version(Version)
        /// The part of a base that the note has.
        case known(Version)
        /// The note that already has the id or the name.
        case id(NoteID)
        /// The protocol versions that the daemon supports.
        case supported([Int])
        /// Index of the offending edit in `params.edits`.
        case index(Int)
        /// Size of the rejected value, in bytes.
        case bytes(Int)
        /// The limit that was exceeded, in bytes.
        case limit(Int)
        /// The hash of a file.
        case hash(FileHash)
    }

    /// The `path` detail, if there is one.
    package var path: String? {
        for case .path(let path) in details { return path }
        return nil
    }
}

extension WireError {
    /// The response line, including its LF.
    ///
    /// - Parameter id: nil if the request's id could not be read; the line then has `"id": null`.
    package func line(id: RequestID?) -> [UInt8] {
        var writer = JSONWriter()
        write(to: &writer, id: id)
        return writer.bytes
    }

    func write(to writer: inout JSONWriter, id: RequestID?) {
        writer.object { line in
            line.member("jsonrpc", "2.0")
            line.name("id")
            if let id { id.write(to: &line) } else { line.null() }
            line.name("error")
            line.object { error in
                error.member("code", kind.code)
                error.member("message", message)
                error.name("data")
                error.object { data in
                    data.member("kind", kind.rawValue)
                    data.member("retryable", isRetryable)
                    for detail in details { detail.write(to: &data) }
                }
            }
        }
        writer.endLine()
    }
}

extension WireError.Detail {
    fileprivate func write(to data: inout JSONWriter) {
        switch self {
        case .path(let path): data.member("path", path)
        case .offset(let offset): data.member("offset", offset)
        case .version(let version): data.member("version", version)
        case .known(let version): data.member("known", version)
        case .id(let id): data.member("id", id)
        case .supported(let versions):
            data.name("supported")
            data.array(of: versions) { $0.integer($1) }
        case .index(let index): data.member("index", index)
        case .bytes(let bytes): data.member("bytes", bytes)
        case .limit(let limit): data.member("limit", limit)
        case .hash(let hash): data.member("sha256", hash)
        }
    }
}
