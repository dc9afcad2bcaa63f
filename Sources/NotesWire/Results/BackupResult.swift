package import NoteText
package import StrictJSON

/// Result of `daemon.backup`: the backup file, which is complete and synced to disk.
package struct BackupResult: WireResult, ReceivedObject {
    /// Absolute path of the file on the daemon's machine.
    package var path: ByteString
    /// Size of the file.
    package var bytes: Int
    /// Number of files whose bytes are in the folder `files` beside the file.
    package var files: Int
    /// Number of files that the backup names and whose bytes the store lacks.
    package var missingFiles: Int
    package var received = ReceivedJSON<ArraySlice<UInt8>?>(nil)

    package init(path: ByteString, bytes: Int, files: Int = 0, missingFiles: Int = 0) {
        self.path = path
        self.bytes = bytes
        self.files = files
        self.missingFiles = missingFiles
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { result in
            result.member("path", path)
            result.member("bytes", bytes)
            result.member("files", files)
            result.member("missingFiles", missingFiles)
        }
    }

    package init(reading value: JSONValue) throws(ParamFault) {
        path = try value.required("path", Param.string)
        bytes = try value.required("bytes", Param.count)
        files = try value.optional("files", Param.count) ?? 0
        missingFiles = try value.optional("missingFiles", Param.count) ?? 0
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
