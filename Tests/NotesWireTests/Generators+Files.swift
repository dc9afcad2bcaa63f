import Causality
import NoteText
import NotesMethods
import NotesModel
import NotesWire
import TestKit
import TextMerge

/// Random calls and results that cover every member of the protocol's types.
extension SeededGenerator {
    mutating func linkQuery(_ method: Method) -> LinkQuery {
        switch method {
        case .incomingLinks:
            .incoming(ListIncomingLinks(id: anyNoteID(), limit: 1 + below(1_000), after: maybe(anyLinkPosition())))
        case .missingLinks: .missing(ListMissingLinks(limit: 1 + below(1_000), after: maybe(anyMissingLinkPosition())))
        default: .resolve(resolveLinks())
        }
    }

    mutating func fileRequest(_ method: Method) -> FileRequest {
        switch method {
        case .beginFile: return .begin(BeginFile(fileContent(), isForPeer: chance(0.3)))
        case .putFile:
            let data = (0..<below(9)).map { _ in UInt8(below(256)) }
            return .put(PutFile(content: fileContent(), offset: below(1 << 30), data: data, isForPeer: chance(0.3)))
        case .getFile:
            return .get(GetFile(hash: fileHash(), offset: below(1 << 30), length: 1 + below(PutFile.dataBytesMax)))
        case .checkFile: return .check(fileHash())
        case .haveFiles: return .have((0...below(3)).map { _ in fileHash() })
        case .listFiles:
            return .list(ListFiles(pick(ListFiles.State.allCases), limit: 1 + below(1_000), after: maybe(fileHash())))
        default: preconditionFailure("\(method) is not about files")
        }
    }

    mutating func fileHash() -> FileHash {
        guard let hash = FileHash(bytes: (0..<FileHash.byteCount).map { _ in UInt8(below(256)) }) else {
            preconditionFailure("a hash has this many bytes")
        }
        return hash
    }

    mutating func anyKind() -> NoteKind? { pick(NoteKind.allCases + [nil]) }

    mutating func fileContent() -> FileContent { FileContent(hash: fileHash(), bytes: below(1 << 40)) }

    mutating func listedFiles() -> ListFilesResult {
        ListFilesResult(
            files: (0..<below(3)).map { _ in
                ListedFile(content: fileContent(), notes: (0..<below(4)).map { _ in anyNoteID() }, revisions: anyDots())
            }, next: maybe(fileHash()))
    }
}
