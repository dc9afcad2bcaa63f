import Causality
package import NotesModel
package import TextMerge

/// A conflict as answers and watch lines show it.
package struct ConflictObject: Hashable, Sendable {
    package var id: ConflictID
    package var kind: ConflictKind
    /// Of the text that the note shows, in the session's encoding.
    package var range: Range<Int>
    /// Nil where the text is not told either.
    package var detail: Detail?

    /// What those who disagree say.
    package struct Detail: Hashable, Sendable {
        /// What all sides started from; nil for a deletion.
        package var base: ConflictContent?
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

    /// - Precondition: it does not end before it starts.
    package init(_ conflict: OpenConflict, _ encoding: PositionEncoding) {
        self.init(
            id: conflict.id, kind: conflict.kind, range: conflict.start[encoding]..<conflict.end[encoding], detail: nil)
    }

    package init(_ detail: ConflictDetail, _ encoding: PositionEncoding) {
        self.init(detail.conflict, encoding)
        self.detail = Detail(base: detail.base, sides: detail.sides)
    }
}

extension ConflictObject {
    package func write(to writer: inout JSONWriter) {
        writer.object { conflict in
            conflict.member("id", id.description)
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
            side.member("dot", dot.description)
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
            dot: try value.required("dot", Param.dot), author: try value.required("author", Author.init(reading:)),
            modified: try value.required("modified", Param.timestamp), content: content)
    }
}
