import NotesModel
import StrictJSON

extension PositionedEdit {
    func write(to writer: inout JSONWriter) {
        writer.object { edit in
            edit.member("start", start)
            edit.member("end", end)
            edit.member("text", text: text)
        }
    }

    init(reading value: JSONValue) throws(ParamFault) {
        self.init(
            start: Int(try value.required("start", Param.integer)), end: Int(try value.required("end", Param.integer)),
            text: try value.required("text", Param.text))
    }
}
