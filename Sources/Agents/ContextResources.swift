import Console
import NoteTasks
import NoteText
import NotesClient
import NotesModel
import NotesWire
import StrictJSON

/// A request for the notes as resources.
struct ContextFetch {
    let id: ContextRequestID
    let era: ContextEra
    let kind: Kind

    enum Kind: Equatable {
        /// A page of all notes, newest first.
        ///
        /// - Parameter before: the commit before which the page begins; nil for the first page.
        case list(before: UInt64?)
        case read(ContextResource)
    }
}

/// The note that a URI names.
enum ContextResource: Equatable {
    case id(NoteID)
    case name(ByteString)

    private static let (byID, byName) = ("note://id/", "note://name/")

    /// The template of URIs with a name.
    static let template = "note://name/{+name}"

    /// Reads a URI; nil if it names no note.
    init?(parsing uri: ByteString) {
        if uri.hasPrefix(ByteString(Self.byID)) {
            guard let id = NoteID(parsing: Array(uri.utf8.dropFirst(Self.byID.utf8.count))) else { return nil }
            self = .id(id)
        } else if uri.hasPrefix(ByteString(Self.byName)) {
            let name = Self.decoded(Array(uri.utf8.dropFirst(Self.byName.utf8.count)))
            guard let name = ByteString(checkedUTF8: name), (try? NoteName(name)) != nil else { return nil }
            self = .name(name)
        } else {
            return nil
        }
    }

    /// The URI of a note, which renaming does not change.
    static func uri(of id: NoteID) -> String { byID + id.description }

    /// Replaces percent escapes by their bytes. An invalid escape stays as written.
    private static func decoded(_ bytes: [UInt8]) -> [UInt8] {
        var decoded: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let byte = UInt8(String(decoding: bytes[(index + 1)...(index + 2)], as: UTF8.self), radix: 16),
                bytes[index + 1] != UInt8(ascii: "+")
            {
                decoded.append(byte)
                index += 3
            } else {
                decoded.append(bytes[index])
                index += 1
            }
        }
        return decoded
    }
}

/// Notes as resources.
extension ToolRunner {
    /// The members of the result of a request for resources.
    ///
    /// - Throws: `ContextFault` if there is no such note.
    func fetch(_ fetch: ContextFetch) async throws -> (inout JSONWriter) -> Void {
        switch fetch.kind {
        case .list(let before): return try await resources(before: before)
        case .read(let resource): return try await contents(of: resource, fetch.era)
        }
    }

    private func resources(before: UInt64?) async throws -> (inout JSONWriter) -> Void {
        let filter = scope.filter(prefix: nil) ?? Filter()
        var place = ListPlace.newest(before: before)
        var page = try await client.list(ListNotes(filter: filter, limit: ToolLimits.resources, place: place))
        while page.notes.isEmpty, let next = page.next {
            place = next
            page = try await client.list(ListNotes(filter: filter, limit: ToolLimits.resources, place: place))
        }
        let (notes, next) = (page.notes, page.next.flatMap(ListToken.text))
        return { result in
            result.name("resources")
            result.array(of: notes) { writer, note in writer.object { Self.write(note.head, to: &$0) } }
            if let next { result.member("nextCursor", next.description) }
        }
    }

    private static func write(_ head: Head, to object: inout JSONWriter) {
        object.member("uri", ContextResource.uri(of: head.id))
        object.member("name", SafeText.line(NoteLabel.of(head)))
        if !head.title.isEmpty { object.member("title", head.title.description) }
        object.member("mimeType", ContextProtocol.noteType)
        object.member("size", head.bytes)
        object.name("annotations")
        object.object { $0.member("lastModified", TimestampText.text(head.modified)) }
    }

    private func contents(of resource: ContextResource, _ era: ContextEra) async throws -> (inout JSONWriter) -> Void {
        let found =
            switch resource {
            case .id(let id): try await get(.id(id))
            case .name(let name): try await get(.name(name))
            }
        guard let note = found, !note.head.isDeleted else { throw ContextFault.noResource(era) }
        return { result in
            result.name("contents")
            result.array { contents in
                contents.object { object in
                    object.member("uri", ContextResource.uri(of: note.head.id))
                    object.member("mimeType", ContextProtocol.noteType)
                    object.member("text", text: note.text ?? [])
                }
            }
        }
    }
}

extension ContextFault {
    /// The fault of a URI that names no note, or one that the agent may not see.
    static func noResource(_ era: ContextEra) -> ContextFault {
        ContextFault(
            era == .perRequest ? .invalidParams : .resourceNotFound, "there is no such note; resources/list lists the newest")
    }
}
