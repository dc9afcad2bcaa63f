package import Causality
package import NoteText

/// A request about the bytes of files, which the engine lets a thread of its own carry out.
package enum FileRequest: Hashable, Sendable {
    /// Begins an upload, or continues it.
    case begin(BeginFile)
    /// Writes the next bytes of an upload.
    case put(PutFile)
    /// Reads some bytes of a file.
    case get(GetFile)
    /// Compares the bytes of a file with their hash.
    case check(FileHash)
    /// Asks which files are not there.
    case have([FileHash])
    /// Lists files by what they have and lack.
    case list(ListFiles)
}

/// The parameters of `file.begin`.
package struct BeginFile: Hashable, Sendable {
    /// The content to upload.
    package var content: FileContent
    /// Whether only bytes are wanted that a revision of the store names. So a machine that sends revisions cannot fill
    /// the disk with other bytes, or bring back what was purged.
    package var isForPeer: Bool

    package init(_ content: FileContent, isForPeer: Bool = false) {
        self.content = content
        self.isForPeer = isForPeer
    }
}

/// The parameters of `file.put`.
package struct PutFile: Hashable, Sendable {
    /// The content to upload.
    package var content: FileContent
    /// The place of `data` in the file.
    package var offset: Int
    /// The bytes; empty to learn how far the upload is.
    package var data: [UInt8]
    /// As in `BeginFile`.
    package var isForPeer: Bool

    /// Largest number of bytes that one request carries. A client that sends bytes of the network waits for no more
    /// than these.
    package static let dataBytesMax = 768 << 10

    package init(content: FileContent, offset: Int, data: [UInt8], isForPeer: Bool = false) {
        self.content = content
        self.offset = offset
        self.data = data
        self.isForPeer = isForPeer
    }
}

/// The parameters of `file.get`.
package struct GetFile: Hashable, Sendable {
    package var hash: FileHash
    /// The first byte to read.
    package var offset: Int
    /// Largest number of bytes to read, from 1 to `PutFile.dataBytesMax`.
    package var length: Int

    package init(hash: FileHash, offset: Int = 0, length: Int = PutFile.dataBytesMax) {
        self.hash = hash
        self.offset = offset
        self.length = length
    }
}

/// The parameters of `files.list`.
package struct ListFiles: Hashable, Sendable {
    /// The files that a list shows.
    package enum State: String, CaseIterable, Hashable, Sendable {
        /// A kept revision names them, and their bytes are not there, though the store takes files of their size.
        case missing
        /// A kept revision names them, and the store leaves files of their size to other stores.
        case declined
        /// Their bytes are there, and no kept revision names them.
        case unnamed
        /// A kept revision names them, whether their bytes are there or not.
        case named
    }

    package var state: State
    /// Largest number of files in the page.
    package var limit: Int
    /// The `next` of the previous page; nil for the first page.
    package var after: FileHash?

    package init(_ state: State, limit: Int = PageSize.listed, after: FileHash? = nil) {
        self.state = state
        self.limit = limit
        self.after = after
    }
}

/// A file of `files.list`.
package struct ListedFile: Hashable, Sendable {
    package var content: FileContent
    /// Some of the notes that name it.
    package var notes: [NoteID]
    /// The revisions that name it, if its bytes are not there.
    package var revisions: DotSet

    /// Largest number of notes.
    package static let notesMax = 3

    package init(content: FileContent, notes: [NoteID], revisions: DotSet = DotSet()) {
        self.content = content
        self.notes = notes
        self.revisions = revisions
    }
}

/// The files that a purge erased, and those that it kept.
package struct PurgedFiles: Hashable, Sendable {
    /// The number of files that nothing names any more, so that their bytes are erased.
    package var erased: Int
    /// The number of files that erased revisions named, and that others still name.
    package var kept: Int
    /// Some of the notes that name these, each once. The purged note is one of them if it still shows such a file.
    package var notes: [NoteID]

    /// Largest number of notes.
    package static let notesMax = 100

    package init(erased: Int, kept: Int, notes: [NoteID]) {
        (self.erased, self.kept, self.notes) = (erased, kept, notes)
    }
}

extension FileRequest {
    /// The request with `isForPeer`, for a connection that is limited to the exchange.
    package var forPeer: FileRequest {
        switch self {
        case .begin(var begin):
            begin.isForPeer = true
            return .begin(begin)
        case .put(var put):
            put.isForPeer = true
            return .put(put)
        case .get, .check, .have, .list: return self
        }
    }
}
