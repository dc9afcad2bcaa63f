package import NoteText
package import StrictJSON

/// Result of `daemon.backup`: the backup file, which is complete and synced to disk.
package struct BackupResult: WireResult, ReceivedObject {
    /// Absolute path of the file on the daemon's machine.
    package var path: ByteString
    /// Size of the file.
    package var bytes: Int
    package var received = ReceivedJSON<ArraySlice<UInt8>?>(nil)

    package init(path: ByteString, bytes: Int) {
        self.path = path
        self.bytes = bytes
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { result in
            result.member("path", path)
            result.member("bytes", bytes)
        }
    }

    package init(reading value: JSONValue) throws(ParamFault) {
        path = try value.required("path", Param.string)
        bytes = try value.required("bytes", Param.count)
        received = ReceivedJSON(value.source)
    }
}

/// Result of `daemon.metrics`.
package struct MetricsResult: WireResult {
    /// OpenMetrics 1.0 text, including the final `# EOF`.
    package var text: ByteString

    package init(text: ByteString) {
        self.text = text
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { $0.member("text", text) }
    }

    package init(reading value: JSONValue) throws(ParamFault) {
        text = try value.required("text", Param.string)
    }
}
