import Console
import NoteText
import NotesClient
import NotesModel
import NotesWire

/// The files of the notes for all browsers, over one connection to the daemon that may only read. So the daemon reads for
/// one browser at a time, a part for each in turn.
actor PageFiles {
    /// Most files that are sent at once, of all devices and of one.
    static let (sentMax, deviceSentMax) = (32, 8)
    /// Most bytes of a file that are in memory, for each that is sent.
    static let partBytesMax = 192 << 10

    private let options: @Sendable () throws -> ClientOptions
    private var connecting: Task<NotesClient, any Error>?
    /// The number of files that are being sent, by the names of the devices.
    private var sent: [String: Int] = [:]
    private var waiting: [(device: String, go: CheckedContinuation<Void, Never>)] = []

    init(_ options: @escaping @Sendable () throws -> ClientOptions) {
        self.options = options
    }

    // MARK: Limits

    /// Waits until a file may be sent to a device. The caller calls `end(for:)` afterwards.
    private func begin(for device: String) async {
        if isFree(for: device) {
            sent[device, default: 0] += 1
            return
        }
        await withCheckedContinuation { waiting.append((device, $0)) }
    }

    private func end(for device: String) {
        let count = sent[device, default: 1] - 1
        sent[device] = count > 0 ? count : nil
        guard let next = waiting.firstIndex(where: { isFree(for: $0.device) }) else { return }
        let (device, go) = waiting.remove(at: next)
        sent[device, default: 0] += 1
        go.resume()
    }

    private func isFree(for device: String) -> Bool {
        sent.values.reduce(0, +) < Self.sentMax && sent[device, default: 0] < Self.deviceSentMax
    }

    // MARK: Reading

    /// A content of a note; nil if the note is not there or does not have it now, or if its bytes are not there.
    ///
    /// - Throws: `ClientError`.
    func file(_ hash: FileHash, of note: NoteID) async throws -> ShownFile? {
        try await withClient { client in
            let shown: NoteObject
            do {
                shown = try await client.note(.id(note))
            } catch ClientError.refused(let error) where error.kind == .noteNotFound {
                return nil
            }
            guard !shown.head.isDeleted, let content = FileContent.all(of: shown.text ?? []).first(where: { $0.hash == hash }),
                try await RemoteFiles(client).size(of: hash) == content.bytes
            else { return nil }
            return ShownFile(content: content, name: shown.head.name)
        }
    }

    /// The pictures that the text of a note shows now; none if the note is not there. A device waits while it gets too many
    /// files.
    ///
    /// - Throws: `ClientError`.
    func pictures(of note: NoteID, for device: String) async throws -> [EmbeddedPicture] {
        await begin(for: device)
        defer { end(for: device) }
        return try await withClient { client in
            let shown: NoteObject
            do {
                shown = try await client.note(.id(note))
            } catch ClientError.refused(let error) where error.kind == .noteNotFound {
                return []
            }
            let targets = shown.head.isDeleted ? [] : EmbeddedPicture.targets(in: shown.text ?? [])
            guard !targets.isEmpty, await client.linkedKind == nil else { return [] }
            let found = try await client.resolveLinks(ResolveLinks(targets: targets, from: note, kind: nil)).found
            return zip(targets, found).compactMap { target, meaning in
                guard let head = meaning.notes.first?.head, let content = head.file else { return nil }
                return EmbeddedPicture(target, content, named: head.name)
            }
        }
    }

    /// A picture that the text of a note shows now; nil if it does not show this content, or its bytes are not there.
    ///
    /// - Throws: `ClientError`.
    func picture(_ hash: FileHash, of note: NoteID, for device: String) async throws -> ShownFile? {
        guard let picture = try await pictures(of: note, for: device).first(where: { $0.content.hash == hash }),
            try await withClient({ try await RemoteFiles($0).size(of: hash) }) == picture.content.bytes
        else { return nil }
        return picture.shown
    }

    /// Passes on the bytes of a file, after others if too many are being sent.
    ///
    /// - Throws: `ClientError`, `FileContentsFault`, and what `write` throws.
    func pass(_ part: FilePart, to device: String, _ write: @Sendable ([UInt8]) async throws -> Void) async throws {
        await begin(for: device)
        defer { end(for: device) }
        try await withClient { client in
            try await RemoteFiles(client).pass(part.range, of: part.hash, partBytesMax: Self.partBytesMax, to: write)
        }
    }

    /// Runs requests on the connection. If it is lost, the next requests open a new one.
    private func withClient<Value: Sendable>(_ body: @Sendable (NotesClient) async throws -> Value) async throws -> Value {
        let task = connecting ?? Task { [options] in try await NotesClient.connect(try options()) }
        connecting = task
        do {
            return try await body(try await task.value)
        } catch ClientError.refused(let error) {
            throw ClientError.refused(error)
        } catch {
            // A browser that is gone, or damaged bytes, are no fault of the connection.
            if error is ClientError || error is ExitFailure, connecting == task { connecting = nil }
            throw error
        }
    }
}
