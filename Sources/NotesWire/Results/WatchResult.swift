package import NotesModel
package import StrictJSON

/// Result of `notes.watch`.
package struct WatchResult: WireResult {
    /// The number of the watch on this connection.
    package var watch: UInt64
    /// The position where the watch starts.
    package var cursor: Cursor
    /// Whether the daemon could not resume from `since`, so that a full snapshot follows.
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
