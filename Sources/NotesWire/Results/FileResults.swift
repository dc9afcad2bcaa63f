import Causality
package import NoteText
package import NotesModel
package import StrictJSON

/// Result of `file.begin` and `file.put`.
package struct UploadResult: WireResult {
    /// Whether the bytes are all there, and have their hash.
    package var isThere: Bool
    /// The place up to which the daemon has them.
    package var offset: Int
    /// False if the upload is for a peer, and no revision of the store names the bytes.
    package var isWanted: Bool

    package init(isThere: Bool, offset: Int, isWanted: Bool = true) {
        self.isThere = isThere
        self.offset = offset
        self.isWanted = isWanted
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { result in
            result.member("there", isThere)
            result.member("offset", offset)
            if !isWanted { result.member("wanted", false) }
        }
    }

    package init(reading value: JSONValue) throws(ParamFault) {
        isThere = try value.required("there", Param.bool)
        offset = try value.required("offset", Param.count)
        isWanted = try value.optional("wanted", Param.bool) ?? true
    }
}

/// Result of `file.get`.
package struct FilePartResult: WireResult {
    /// The bytes from `offset` on.
    package var data: [UInt8]
    package var offset: Int
    /// The size of the whole file.
    package var bytes: Int

    package init(data: [UInt8], offset: Int, bytes: Int) {
        self.data = data
        self.offset = offset
        self.bytes = bytes
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { result in
            result.member("offset", offset)
            result.member("bytes", bytes)
            result.member("data", text: Base64.text(of: data))
        }
    }

    package init(reading value: JSONValue) throws(ParamFault) {
        offset = try value.required("offset", Param.count)
        bytes = try value.required("bytes", Param.count)
        data = try value.required("data") { (value) throws(ParamFault) in
            guard let data = Base64.bytes(of: try Param.text(value)) else {
                throw ParamFault(path: "", reason: "is not base64 with padding")
            }
            return data
        }
    }
}

/// Result of `file.check`.
package struct FileCheckResult: WireResult {
    /// Whether the bytes are there, and have their hash.
    package var isThere: Bool

    package init(isThere: Bool) {
        self.isThere = isThere
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { $0.member("there", isThere) }
    }

    package init(reading value: JSONValue) throws(ParamFault) {
        isThere = try value.required("there", Param.bool)
    }
}

/// Result of `files.have`.
package struct HaveFilesResult: WireResult {
    /// The indexes of the files that are not there.
    package var lacks: [Int]
    /// Indexes of the absent files that the store had before, and that are lost or damaged.
    package var lost: [Int]
    /// The size in bytes above which the store declines files; nil for a daemon that takes all.
    package var fetchBytesMax: Int?

    package init(lacks: [Int], lost: [Int] = [], fetchBytesMax: Int? = nil) {
        self.lacks = lacks
        self.lost = lost
        self.fetchBytesMax = fetchBytesMax
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { result in
            result.name("lacks")
            result.array(of: lacks) { $0.integer($1) }
            if !lost.isEmpty {
                result.name("lost")
                result.array(of: lost) { $0.integer($1) }
            }
            if let fetchBytesMax { result.member("fetchBytesMax", fetchBytesMax) }
        }
    }

    package init(reading value: JSONValue) throws(ParamFault) {
        lacks = try value.required("lacks", Param.array(Param.count))
        lost = try value.optional("lost", Param.array(Param.count)) ?? []
        fetchBytesMax = try value.optional("fetchBytesMax", Param.count)
    }
}

extension ListedFile {
    /// Writes the file as one JSON object.
    func write(to writer: inout JSONWriter) {
        writer.object { file in
            content.writeMembers(to: &file)
            file.name("notes")
            file.array(of: notes) { $0.string($1) }
            if !revisions.isEmpty { file.member("revisions", revisions) }
        }
    }

    /// The file as one JSON object.
    package var json: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }
}

/// Result of `files.list`.
package struct ListFilesResult: WireResult {
    package var files: [ListedFile]
    package var next: FileHash?

    package init(files: [ListedFile], next: FileHash?) {
        self.files = files
        self.next = next
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { result in
            result.name("files")
            result.array(of: files) { $1.write(to: &$0) }
            result.member("next", next.map { ByteString($0.textForm) })
        }
    }

    package init(reading value: JSONValue) throws(ParamFault) {
        files = try value.required(
            "files",
            Param.array { (value) throws(ParamFault) in
                ListedFile(
                    content: try FileContent(reading: value), notes: try value.required("notes", Param.array(Param.noteID)),
                    revisions: try value.optional("revisions", Param.dots) ?? DotSet())
            })
        next = try value.required("next", Param.nullable(Param.fileHash))
    }
}

/// Files whose bytes are there.
package struct FileTotals: Hashable, Sendable {
    package var count: Int
    /// The sum of their sizes.
    package var bytes: Int

    package init(count: Int, bytes: Int) {
        (self.count, self.bytes) = (count, bytes)
    }

    init(reading value: JSONValue) throws(ParamFault) {
        (count, bytes) = (try value.required("count", Param.count), try value.required("bytes", Param.count))
    }

    func write(to writer: inout JSONWriter) {
        writer.object { files in
            files.member("count", count)
            files.member("bytes", bytes)
        }
    }
}
