import Hub
import NoteText
import NotesModel

/// The bytes of files in memory, as the database keeps them.
struct MemoryFiles {
    private var named: Set<FileContent> = []
    private(set) var parts: [FileContent: [UInt8]] = [:]
    private(set) var whole: Set<FileContent> = []
    var bytesMax = 64 << 20
    var fault: HubFileAnswer?

    mutating func name(_ files: [FileContent]) { named.formUnion(files) }

    private func found(_ hash: FileHash) -> FileContent? { whole.first { $0.hash == hash } }

    mutating func answer(_ request: FileRequest) -> HubFileAnswer {
        if let fault { return fault }
        switch request {
        case .have(let hashes): return .lacks(hashes.indices.filter { found(hashes[$0]) == nil })
        case .list(let list):
            let missing = named.filter { content in
                found(content.hash) == nil && list.after.map { content.hash > $0 } ?? true
            }
            return .missing(Array(missing.sorted { ($0.hash, $0.bytes) < ($1.hash, $1.bytes) }.prefix(list.limit)))
        case .begin(let begin): return put(begin.content, 0, [])
        case .put(let put): return self.put(put.content, put.offset, put.data)
        case .get(let get):
            guard let content = found(get.hash), let bytes = parts[content] else { return .absent }
            return .part(Array(bytes.dropFirst(get.offset).prefix(get.length)), of: content.bytes)
        case .check(let hash): return .checked(found(hash) != nil)
        }
    }

    private mutating func put(_ content: FileContent, _ offset: Int, _ data: [UInt8]) -> HubFileAnswer {
        guard named.contains(content) else { return .unwanted }
        if whole.contains(content) { return .upload(isThere: true, offset: content.bytes) }
        guard content.bytes <= bytesMax else { return .tooLarge(limit: bytesMax) }
        let place = parts[content]?.count ?? 0
        guard offset == place, !data.isEmpty else { return .upload(isThere: false, offset: place) }
        parts[content, default: []] += data
        guard let bytes = parts[content], bytes.count == content.bytes else {
            return .upload(isThere: false, offset: place + data.count)
        }
        guard FileContent(of: bytes) == content else {
            parts[content] = nil
            return .differs
        }
        whole.insert(content)
        return .upload(isThere: true, offset: content.bytes)
    }
}
