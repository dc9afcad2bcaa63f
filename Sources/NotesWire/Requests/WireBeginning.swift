package import Causality
package import NoteText
package import NotesModel
import StrictJSON
package import TextMerge

/// The beginning of a note on a connection between stores (`NoteBeginning`).
package struct WireBeginning: Hashable, Sendable {
    /// The revision at the floor.
    package var revision: WireRevision
    /// The dots below the floor.
    package var below: DotSet
    /// Those of them that a purge erased.
    package var erased: DotSet
    /// The text at the floor.
    package var text: ByteString
    /// The name at the floor; nil for none.
    package var name: ByteString?
    /// Whether the note is deleted at the floor.
    package var isDeleted: Bool
    /// The register of the last line.
    package var lastLine: LastLineFeed
    /// The time of creation.
    package var created: Timestamp

    package init(
        revision: WireRevision, below: DotSet, erased: DotSet, text: ByteString, name: ByteString?, isDeleted: Bool,
        lastLine: LastLineFeed, created: Timestamp
    ) {
        self.revision = revision
        self.below = below
        self.erased = erased
        self.text = text
        self.name = name
        self.isDeleted = isDeleted
        self.lastLine = lastLine
        self.created = created
    }

    package init(_ beginning: NoteBeginning) {
        self.init(
            revision: RevisionCodec.wireForm(of: beginning.floor), below: beginning.below, erased: beginning.erased,
            text: ByteString(checkedUTF8: beginning.text) ?? "", name: beginning.name?.bytes, isDeleted: beginning.isDeleted,
            lastLine: beginning.lastLine, created: beginning.created)
    }

    /// The size of the revision and the text.
    package var byteCount: Int { revision.byteCount + text.utf8.count }

    /// The beginning; nil if the revision or the name cannot be decoded.
    ///
    /// - Complexity: O(bytes).
    package var beginning: NoteBeginning? {
        guard let floor = RevisionCodec.revision(from: revision) else { return nil }
        var decoded: NoteName?
        if let name {
            do { decoded = try NoteName(name) } catch { return nil }
        }
        return NoteBeginning(
            floor: floor, below: below, erased: erased, text: text.utf8, name: decoded, lastLine: lastLine, isDeleted: isDeleted,
            created: created)
    }

    func write(to writer: inout JSONWriter) {
        writer.object { beginning in
            beginning.name("revision")
            revision.write(to: &beginning)
            beginning.member("below", below)
            if !erased.isEmpty { beginning.member("erased", erased) }
            beginning.member("text", text)
            if let name { beginning.member("name", name) }
            beginning.member("deleted", isDeleted)
            beginning.member("last_line", ByteString(Self.names[Int(lastLine.rawValue)]))
            beginning.member("created", created)
        }
    }

    /// The words for the registers, by their raw values.
    fileprivate static let names = ["shown", "hidden", "absent"]
}

extension Param {
    /// A beginning in a request, which can be decoded; unknown members are rejected.
    static func statedBeginning(_ value: JSONValue) throws(ParamFault) -> WireBeginning {
        var beginning = try ParamReader(value)
        let read = WireBeginning(
            revision: try beginning.required("revision", statedRevision), below: try beginning.required("below", dots),
            erased: try beginning.optional("erased", dots) ?? DotSet(),
            text: try beginning.required("text", string), name: try beginning.optional("name", string),
            isDeleted: try beginning.required("deleted", bool), lastLine: try beginning.required("last_line", lastLine),
            created: try beginning.required("created", timestamp))
        try beginning.finish()
        guard read.beginning != nil else { throw ParamFault(path: "revision", reason: "or the name cannot be decoded") }
        return read
    }

    /// A beginning in a line from the daemon.
    static func beginning(_ value: JSONValue) throws(ParamFault) -> WireBeginning {
        WireBeginning(
            revision: try value.required("revision", revision), below: try value.required("below", dots),
            erased: try value.optional("erased", dots) ?? DotSet(),
            text: try value.required("text", string), name: try value.optional("name", string),
            isDeleted: try value.required("deleted", bool), lastLine: try value.required("last_line", lastLine),
            created: try value.required("created", timestamp))
    }

    private static func lastLine(_ value: JSONValue) throws(ParamFault) -> LastLineFeed {
        try parsed(value, "shown, hidden or absent") { text in
            WireBeginning.names.first { ByteString($0).utf8.elementsEqual(text.utf8) }
                .flatMap { WireBeginning.names.firstIndex(of: $0) }.flatMap { LastLineFeed(rawValue: UInt8($0)) }
        }
    }
}
