package import Causality
package import NotesModel

/// A refusal as it goes over the wire: `error` of an answer.
///
/// The message is for people and says what, where, and what to do; programs look at the kind and the details.
package struct WireError: Error, Hashable, Sendable {
    package let kind: ErrorKind
    package let message: String
    package let isRetryable: Bool
    package let details: [Detail]

    package init(_ kind: ErrorKind, _ message: String, isRetryable: Bool? = nil, details: [Detail] = []) {
        self.kind = kind
        self.message = message
        self.isRetryable = isRetryable ?? kind.isRetryable
        self.details = details
    }

    /// What `data` says besides `kind` and `retryable`.
    package enum Detail: Hashable, Sendable {
        /// Where in the request, such as `params.edits[3].start`.
        case path(String)
        /// In the line, or in the value that `path` names, in bytes.
        case offset(Int)
        /// What the note shows now.
        case version(Version)
        /// The part of a base that is known.
        case known(Version)
        /// The note that is in the way.
        case id(NoteID)
        /// The protocol versions that are spoken.
        case supported([Int])
        /// Of an edit in `params.edits`.
        case index(Int)
        case bytes(Int)
        case limit(Int)
    }

    package var path: String? {
        for case .path(let path) in details { return path }
        return nil
    }
}

extension WireError {
    /// The answer to a line, with its LF. `id` is nil where the line's own could not be read.
    package func line(id: RequestID?) -> [UInt8] {
        var writer = JSONWriter()
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
        return writer.bytes
    }
}

extension WireError.Detail {
    fileprivate func write(to data: inout JSONWriter) {
        switch self {
        case .path(let path): data.member("path", path)
        case .offset(let offset): data.member("offset", offset)
        case .version(let version): data.member("version", version.description)
        case .known(let version): data.member("known", version.description)
        case .id(let id): data.member("id", id.description)
        case .supported(let versions):
            data.name("supported")
            data.array(of: versions) { $0.integer($1) }
        case .index(let index): data.member("index", index)
        case .bytes(let bytes): data.member("bytes", bytes)
        case .limit(let limit): data.member("limit", limit)
        }
    }
}
