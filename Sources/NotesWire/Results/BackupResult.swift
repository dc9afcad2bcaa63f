package import NotesModel

/// Of `daemon.backup`: the file that is there now, whole and on disk.
package struct BackupResult: WireResult {
    /// Absolute.
    package var path: ByteString
    package var bytes: Int

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
    }
}

/// Of `daemon.metrics`.
package struct MetricsResult: WireResult {
    /// OpenMetrics 1.0, with its `# EOF`.
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
