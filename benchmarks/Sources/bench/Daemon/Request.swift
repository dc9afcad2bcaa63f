/// A request of the benchmarks in the protocol's form.
struct Request {
    let method: String
    /// The parameters as JSON.
    let params: String

    /// The line with its LF.
    func line(id: Int) -> [UInt8] {
        Array(#"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#.utf8) + [0x0a]
    }
}

extension Request {
    static func hello(positionEncoding: String, label: String? = nil) -> Request {
        let label = label.map { #","label":\#(json($0))"# } ?? ""
        return Request(
            method: "session.hello",
            params:
                #"{"protocol":[1],"client":{"name":"bench","version":"1"},"positionEncoding":["\#(positionEncoding)"]\#(label)}"#)
    }

    /// - Parameter text: A JSON string.
    static func createNote(json text: String, name: String? = nil) -> Request {
        let name = name.map { #","name":\#(json($0))"# } ?? ""
        return Request(method: "note.create", params: #"{"text":\#(text)\#(name)}"#)
    }

    /// - Parameters:
    ///   - version: An old version; nil for the newest.
    ///   - from: A version from whose text the response has edits, instead of a text.
    static func getNote(_ id: String, at version: String? = nil, from: String? = nil) -> Request {
        let version = version.map { #","at":"\#($0)""# } ?? ""
        let from = from.map { #","from":"\#($0)""# } ?? ""
        return Request(method: "note.get", params: #"{"id":"\#(id)"\#(version)\#(from)}"#)
    }

    /// - Parameter text: A JSON string.
    static func saveNote(_ id: String, base: String, json text: String) -> Request {
        Request(method: "note.save", params: #"{"id":"\#(id)","base":"\#(base)","text":\#(text)}"#)
    }

    /// - Parameter edits: JSON objects separated by commas.
    static func editNote(_ id: String, base: String, edits: String) -> Request {
        Request(method: "note.edit", params: #"{"id":"\#(id)","base":"\#(base)","edits":[\#(edits)]}"#)
    }

    static func deleteNote(_ id: String, base: String) -> Request {
        Request(method: "note.delete", params: #"{"id":"\#(id)","base":"\#(base)"}"#)
    }

    static func purgeNote(_ id: String, base: String) -> Request {
        Request(method: "note.purge", params: #"{"id":"\#(id)","base":"\#(base)"}"#)
    }

    static let status = Request(method: "daemon.status", params: "{}")

    static func listNotes(limit: Int, after: String? = nil) -> Request {
        let after = after.map { #","after":\#(json($0))"# } ?? ""
        return Request(method: "note.list", params: #"{"limit":\#(limit)\#(after)}"#)
    }

    /// - Parameter query: Contents of a JSON string, without its quotes.
    static func search(_ query: String) -> Request {
        Request(method: "note.search", params: #"{"query":"\#(query)"}"#)
    }

    /// - Parameter id: The note that the links mean.
    static func linksTo(_ id: String, limit: Int) -> Request {
        Request(method: "links.to", params: #"{"id":"\#(id)","limit":\#(limit)}"#)
    }

    /// Watches from a cursor, or from the current position without one.
    static func watchNotes(since cursor: String? = nil, ids: [String] = []) -> Request {
        let ids = ids.isEmpty ? "" : #""filter":{"ids":[\#(ids.map { "\"\($0)\"" }.joined(separator: ","))]},"#
        let start = cursor.map { #""since":\#(json($0))"# } ?? #""snapshot":false"#
        return Request(method: "notes.watch", params: "{\(ids)\(start)}")
    }

    /// Watches all notes with their texts, from a snapshot on.
    static let watchAll = Request(method: "notes.watch", params: #"{"include":"text"}"#)

    /// All revisions of a peer.
    static let watchRevisions = Request(
        method: "revisions.watch", params: #"{"peer":{"store":"aaaaaaaaaaaaaaaa","replica":"bbbbbbbbbbbbbbbb"},"known":""}"#)

    static func proceed(watch: Int, seq: Int) -> Request {
        Request(method: "revisions.proceed", params: #"{"watch":\#(watch),"seq":\#(seq)}"#)
    }

    static func json(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case "\0"..."\u{1f}":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
