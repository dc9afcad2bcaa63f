import Causality
import NoteText
package import NotesModel
package import StrictJSON
package import TextMerge

/// An open conflict in responses and notifications.
package struct ConflictObject: ReceivedObject, Hashable, Sendable {
    /// Id of the conflict, which is the same in every replica.
    package var id: ConflictID
    /// Whether the text, the name or a deletion is in conflict.
    package var kind: ConflictKind
    /// The conflict's range in the note's merged text, in the session's encoding.
    package var range: Range<Int>
    /// The conflicting contents; nil in notes without their text.
    package var detail: Detail?
    package var received = ReceivedJSON<ArraySlice<UInt8>?>(nil)

    /// The contents that are in conflict.
    package struct Detail: Hashable, Sendable {
        /// The content that all sides changed; nil for a deletion.
        package var base: ConflictContent?
        /// The conflicting contents and their authors.
        package var sides: [ConflictSide]

        package init(base: ConflictContent?, sides: [ConflictSide]) {
            self.base = base
            self.sides = sides
        }
    }

    package init(id: ConflictID, kind: ConflictKind, range: Range<Int>, detail: Detail?) {
        self.id = id
        self.kind = kind
        self.range = range
        self.detail = detail
    }

    /// Makes the object without detail.
    ///
    /// - Precondition: the conflict's end is not before its start.
    package init(_ conflict: OpenConflict, _ encoding: PositionEncoding) {
        self.init(
            id: conflict.id, kind: conflict.kind, range: conflict.start[encoding]..<conflict.end[encoding], detail: nil)
    }

    /// Makes the object with detail.
    ///
    /// - Precondition: the conflict's end is not before its start.
    package init(_ detail: ConflictDetail, _ encoding: PositionEncoding) {
        self.init(detail.conflict, encoding)
        self.detail = Detail(base: detail.base, sides: detail.sides)
    }
}

extension ConflictObject {
    /// Writes the conflict as one JSON object.
    package func write(to writer: inout JSONWriter) {
        writer.object { conflict in
            conflict.member("id", id)
            conflict.member("kind", kind.rawValue)
            conflict.name("range")
            conflict.object { place in
                place.member("start", range.lowerBound)
                place.member("end", range.upperBound)
            }
            guard let detail else { return }
            conflict.name("base")
            switch detail.base {
            case .text(let text): conflict.string(text)
            case .name(let name?): conflict.string(name.bytes)
            case .name(nil), .deleted, nil: conflict.null()
            }
            conflict.name("sides")
            conflict.array(of: detail.sides) { $1.write(to: &$0) }
        }
    }

    init(reading value: JSONValue) throws(ParamFault) {
        received = ReceivedJSON(value.source)
        id = try value.required("id", Param.conflictID)
        let kind = try value.required("kind", Param.word(ConflictKind.self))
        self.kind = kind
        range = try value.required("range") { (place) throws(ParamFault) in
            let start = try place.required("start", Param.count)
            let end = try place.required("end", Param.count)
            guard start <= end else { throw ParamFault(path: "end", reason: "is \(end), less than start (\(start))") }
            return start..<end
        }
        guard let sides = try value.optional("sides", Param.array(ConflictSide.init(reading:))) else {
            detail = nil
            return
        }
        let base = try value.required("base") { (base) throws(ParamFault) -> ConflictContent? in
            switch kind {
            case .text: try Param.nullable(Param.text)(base).map { .text($0) }
            case .name: .name(try Param.nullable(Param.name)(base))
            case .deletion: nil
            }
        }
        detail = Detail(base: base, sides: sides)
    }
}

extension ConflictSide {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { side in
            side.member("dot", dot)
            if isWithdrawn { side.member("withdrawn", true) }
            side.name("author")
            author.write(to: &side)
            side.member("modified", modified)
            switch content {
            case .text(let text): side.member("text", text: text)
            case .name(let name): side.member("name", name?.bytes)
            case .deleted: side.member("deleted", true)
            }
        }
    }

    fileprivate init(reading value: JSONValue) throws(ParamFault) {
        let content: ConflictContent
        if let text = try value.optional("text", Param.text) {
            content = .text(text)
        } else if let name = try value.optional("name", Param.nullable(Param.name)) {
            content = .name(name)
        } else if try value.required("deleted", Param.bool) {
            content = .deleted
        } else {
            throw ParamFault(path: "deleted", reason: "is false, but there is neither text nor name")
        }
        self.init(
            dot: try value.required("dot", Param.dot),
            isWithdrawn: try value.optional("withdrawn", Param.bool) ?? false,
            author: try value.required("author", Author.init(reading:)),
            modified: try value.required("modified", Param.timestamp), content: content)
    }
}
