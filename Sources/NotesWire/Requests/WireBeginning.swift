import Causality
import NoteText
import NotesMethods
import NotesModel
import StrictJSON
import TextMerge

extension WireBeginning {
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
