package import NoteText
import NotesModel
import NotesWire

/// The answer of the database to a request about files.
package enum HubFileAnswer: Hashable, Sendable {
    /// The indexes of the files that are not there.
    case lacks([Int])
    /// Files that revisions of the space name and whose bytes are not there, in the order of hashes.
    case missing([FileContent])
    /// Whether the file is there, and the place up to which the space has it.
    case upload(isThere: Bool, offset: Int)
    /// No revision of the space names the file.
    case unwanted
    /// The file has more bytes than the space takes of one.
    case tooLarge(limit: Int)
    /// The bytes do not have their hash, and were removed.
    case differs
    /// Bytes of a file, and the size of the whole.
    case part([UInt8], of: Int)
    /// The file is not there.
    case absent
    /// Whether the file is there and has its hash.
    case checked(Bool)
    /// There is no room for the file; the sentence says so.
    case full(String)
    /// The database refused this request; the sentence says why.
    case failed(String)
}

extension HubGateway {
    /// Answers a request about files, or asks the database.
    mutating func answer(_ request: FileRequest, _ id: RequestID) -> [Action] {
        switch request {
        case .begin(let begin):
            if let line = refusal(to: begin.content, id) { return [.send(line)] }
        case .put(let put):
            if let line = refusal(to: put.content, id) { return [.send(line)] }
            guard put.data.count <= put.content.bytes - min(put.offset, put.content.bytes) else {
                let fault = ParamFault(path: "params.data", reason: "has bytes after the end of the file")
                return [.send(WireError.invalidParams(fault).line(id: id))]
            }
        case .get(let get) where get.hash == .ofNothing:
            return [.send(FilePartResult(data: [], offset: get.offset, bytes: 0).line(id: id))]
        case .check(.ofNothing): return [.send(FileCheckResult(isThere: true).line(id: id))]
        case .list(let list) where list.state != .missing:
            let fault = ParamFault(path: "params.state", reason: "must be missing: a space lists no other files")
            return [.send(WireError.invalidParams(fault).line(id: id))]
        case .get, .check, .have, .list: break
        }
        return ask(.file(request), .file(id, request))
    }

    /// The answer to an upload that needs no database.
    private func refusal(to content: FileContent, _ id: RequestID) -> [UInt8]? {
        guard space?.mayWrite == true else { return WireError.permissionDenied("the role may only read this space").line(id: id) }
        guard content.bytes == 0 else { return nil }
        guard content.hash == .ofNothing else { return WireError.fileDiffers(content.hash).line(id: id) }
        return UploadResult(isThere: true, offset: 0).line(id: id)
    }

    /// The response to a request about files.
    func line(_ answer: HubFileAnswer, to request: FileRequest, _ id: RequestID) -> [UInt8] {
        switch (request, answer) {
        case (.have(let hashes), .lacks(let indexes)):
            let lacks = indexes.filter { hashes.indices.contains($0) && hashes[$0] != .ofNothing }
            return HaveFilesResult(lacks: lacks).line(id: id)
        case (.list(let list), .missing(let files)):
            let next = files.count < list.limit ? nil : files.last?.hash
            return ListFilesResult(files: files.map { ListedFile(content: $0, notes: []) }, next: next).line(id: id)
        case (.begin, .upload(let isThere, let offset)), (.put, .upload(let isThere, let offset)):
            return UploadResult(isThere: isThere, offset: offset).line(id: id)
        case (.begin, .unwanted), (.put, .unwanted):
            return UploadResult(isThere: false, offset: 0, isWanted: false).line(id: id)
        case (.begin(let begin), .tooLarge(let limit)): return Self.tooLarge(begin.content, limit).line(id: id)
        case (.put(let put), .tooLarge(let limit)): return Self.tooLarge(put.content, limit).line(id: id)
        case (.put(let put), .differs): return WireError.fileDiffers(put.content.hash).line(id: id)
        case (.get(let get), .part(let data, let bytes)):
            return FilePartResult(data: data, offset: get.offset, bytes: bytes).line(id: id)
        case (.get(let get), .absent): return WireError.fileMissing(get.hash).line(id: id)
        case (.check, .checked(let isThere)): return FileCheckResult(isThere: isThere).line(id: id)
        case (_, .full(let sentence)): return WireError(.storageFull, sentence).line(id: id)
        case (_, .failed(let sentence)): return WireError(.storageFailed, sentence).line(id: id)
        default: return WireError(.storageFailed, "the database gave an answer to another question").line(id: id)
        }
    }

    private static func tooLarge(_ content: FileContent, _ limit: Int) -> WireError {
        WireError(
            .fileTooLarge,
            "the file has \(content.bytes) bytes; the space takes at most \(limit) of one (file_bytes_max in notes.space)",
            details: [.bytes(content.bytes), .limit(limit)])
    }
}
