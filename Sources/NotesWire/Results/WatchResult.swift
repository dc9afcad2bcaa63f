package import NotesModel

/// Of `notes.watch`.
package struct WatchResult: WireResult {
    package var watch: UInt64
    /// Where it starts.
    package var cursor: Cursor
    /// Whether `since` could not be gone on from, so that a full snapshot comes.
    package var isReset: Bool

    package init(watch: UInt64, cursor: Cursor, isReset: Bool) {
        self.watch = watch
        self.cursor = cursor
        self.isReset = isReset
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { result in
            result.member("watch", watch)
            result.member("cursor", cursor)
            result.member("reset", isReset)
        }
    }

    package init(reading value: JSONValue) throws(ParamFault) {
        watch = try value.required("watch", Param.number)
        cursor = try value.required("cursor", Param.cursor)
        isReset = try value.required("reset", Param.bool)
    }
}
