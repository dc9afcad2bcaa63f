package import Causality
package import NotesModel
import StrictJSON

/// The version of a note that a user sees, and the selection in it.
package struct PositionObject: Hashable, Sendable {
    /// The version; `Version.nothing` if the user's client did not say.
    package var version: Version
    /// The selection in the text of `version`; nil if nothing is selected or the client did not
    /// say.
    package var selection: Selection?

    package init(version: Version, selection: Selection?) {
        self.version = version
        self.selection = selection
    }

    static func read(_ value: JSONValue) throws(ParamFault) -> PositionObject? {
        let version = try value.required("version", Param.nullable(Param.version))
        let selection = try value.required("selection", Param.nullable(Selection.init(reading:)))
        return version.map { PositionObject(version: $0, selection: selection) }
    }
}

extension PositionObject? {
    func writeMembers(to writer: inout JSONWriter) {
        writer.member("version", self?.version)
        writer.name("selection")
        if let selection = self?.selection { selection.write(to: &writer) } else { writer.null() }
    }
}

extension Selection {
    func write(to writer: inout JSONWriter) {
        writer.object { selection in
            selection.member("start", start)
            selection.member("end", end)
        }
    }

    init(reading value: JSONValue) throws(ParamFault) {
        self.init(start: try value.required("start", Param.count), end: try value.required("end", Param.count))
    }
}
