import Causality
import NoteText
import NotesModel
import NotesWire
import Synchronization

/// Carries the bytes of files from one store to another, after the revisions that name them.
///
/// The destination decides what it wants: it lists the files that its revisions name and whose bytes it lacks, without those
/// that it declines. An upload that was cut continues where it was. So the flow keeps nothing that lasts, as `RevisionFlow`.
/// If one of the stores keeps no bytes, the flow counts what the destination lacks.
///
/// The source counts a revision as held by the destination only with the bytes that it names, so that compaction keeps
/// what the destination may still ask for.
final class FileFlow<Source: ExchangeStore, Destination: ExchangeStore>: Sendable {
    private let source: Source
    private let destination: Destination
    private let sleep: @Sendable (Duration) async throws -> Void
    private let arrivals: AsyncStream<Void>
    private let arrival: AsyncStream<Void>.Continuation
    /// The revisions of the destination of which the source was not told that it has their bytes.
    private let incomplete = Mutex(DotSet())

    init(from source: Source, to destination: Destination, sleep: @escaping @Sendable (Duration) async throws -> Void) {
        self.source = source
        self.destination = destination
        self.sleep = sleep
        (arrivals, arrival) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Looks again: a store committed revisions, which may name files, or may take larger files than before.
    func look() { arrival.yield() }

    /// Whether both stores keep bytes.
    var carriesBytes: Bool {
        get async throws {
            guard try await source.hasFiles else { return false }
            return try await destination.hasFiles
        }
    }

    /// The destination took revisions that may name bytes which it lacks.
    func take(_ incomplete: DotSet) {
        guard !incomplete.isEmpty else { return }
        self.incomplete.withLock { $0.formUnion(incomplete) }
        arrival.yield()
    }

    /// The revisions of the destination that name bytes which it lacks. A hub does not know which ones do.
    func missing() async throws -> DotSet {
        var (after, missing) = (FileHash?.none, DotSet())
        guard try await carriesBytes else { return missing }
        do {
            repeat {
                let page = try await destination.answer(to: .list(ListFiles(.missing, after: after)), as: ListFilesResult.self)
                for file in page.files { missing.formUnion(file.revisions) }
                after = page.next
            } while after != nil
        } catch is FileDenial {
            // A store whose tables of files cannot be read carries revisions all the same.
        }
        return missing
    }

    /// Carries what the destination lacks now, and again after revisions came, until a connection ends.
    ///
    /// The source may lack a file itself and get it from elsewhere, of which it tells nobody. So while the destination
    /// lacks any, the flow looks after a second, and then less and less often, at least every ten seconds.
    func run(_ report: @escaping @Sendable (FlowEvent) -> Void) async throws {
        var arrivals = arrivals.makeAsyncIterator()
        var (lacking, pause, failed) = (0, Duration.seconds(1), Set<FileHash>())
        repeat {
            let left = try await carry(&failed, report)
            pause = left == lacking ? min(pause * 2, .seconds(10)) : .seconds(1)
            lacking = left
        } while await isNext(of: &arrivals, after: lacking > 0 ? pause : nil)
        try Task.checkCancellation()
    }

    /// Waits until the flow is to look again, at the latest after a pause. Returns false if it was cancelled.
    private func isNext(of arrivals: inout AsyncStream<Void>.Iterator, after pause: Duration?) async -> Bool {
        guard let pause else { return await arrivals.next() != nil }
        // Ends with this scope.
        async let _: Void = { [sleep, arrival] in
            try? await sleep(pause)
            if !Task.isCancelled { arrival.yield() }
        }()
        let isNext = await arrivals.next() != nil
        return isNext
    }

    /// Carries what the destination lacks and the source has.
    ///
    /// - Parameter failed: files of which a failure was reported, so that it is reported once.
    /// - Returns: the number of files that the destination lacks afterwards.
    func carry(_ failed: inout Set<FileHash>, _ report: @Sendable (FlowEvent) -> Void) async throws -> Int {
        guard try await destination.hasFiles else {
            try await countNamed(report)
            // Only revisions change the count.
            return 0
        }
        let isSource = try await source.hasFiles
        var (after, lacking, size) = (FileHash?.none, 0, Self.partMin)
        var complete = incomplete.withLock { $0 }
        do {
            repeat {
                let page = try await destination.answer(to: .list(ListFiles(.missing, after: after)), as: ListFilesResult.self)
                after = page.next
                guard !page.files.isEmpty else { continue }
                lacking += page.files.count
                report(.files(lacking: lacking))
                guard isSource else { continue }
                let hashes = page.files.map(\.content.hash)
                let absent = Set(try await source.answer(to: .have(hashes), as: HaveFilesResult.self).lacks)
                for index in absent where hashes.indices.contains(index) { page.files[index].isLacking(in: &complete) }
                let carried = page.files.indices.filter { !absent.contains($0) }.map { page.files[$0] }
                var ahead: Part?
                for (index, file) in carried.enumerated() {
                    let next = index + 1 < carried.count ? carried[index + 1].content : nil
                    if let reason = try await failure(carrying: file.content, before: next, &ahead, &size) {
                        file.isLacking(in: &complete)
                        if failed.insert(file.content.hash).inserted { report(.file(file.content.hash, failure: reason)) }
                        continue
                    }
                    report(.file(file.content.hash, failure: nil))
                    lacking -= 1
                    report(.files(lacking: lacking))
                }
            } while after != nil
        } catch FileDenial.later(let reason) {
            report(.files(lacking: max(lacking, 1)))
            report(.waits(reason))
            return max(lacking, 1)
        } catch is FileDenial {
            // A store whose tables of files cannot be read carries revisions all the same.
            return max(lacking, 1)
        }
        report(.files(lacking: lacking))
        if !complete.isEmpty {
            try await source.complete(complete)
            incomplete.withLock { [complete] in $0 = $0.subtracting(complete) }
        }
        return lacking
    }

    /// Counts the files that the source names, none of which the destination has.
    private func countNamed(_ report: @Sendable (FlowEvent) -> Void) async throws {
        var (after, count) = (FileHash?.none, 0)
        do {
            repeat {
                let list = ListFiles(.named, limit: WireProtocol.listLimits.upperBound, after: after)
                let page = try await source.answer(to: .list(list), as: ListFilesResult.self)
                count += page.files.count { $0.content.bytes > 0 }
                after = page.next
            } while after != nil
        } catch is FileDenial {
            // An older daemon does not know the list.
            return
        }
        report(.files(lacking: count))
    }

    /// Bytes of a file that the source was asked for ahead.
    private struct Part {
        let hash: FileHash
        let offset: Int
        let data: [UInt8]
    }

    /// Carries one file. Returns why the destination does not have it afterwards; nil if it does.
    ///
    /// While the destination writes a part, the source reads the next one, also that of the following file.
    ///
    /// - Parameters:
    ///   - next: the file that follows.
    ///   - ahead: a part that was read before, and afterwards the first one of `next`.
    ///   - size: the bytes of the first part, and afterwards of the last.
    /// - Throws: `FileDenial.later`, or an error of a connection.
    private func failure(
        carrying content: FileContent, before next: FileContent?, _ ahead: inout Part?, _ size: inout Int
    ) async throws -> String? {
        do {
            var state = try await destination.answer(
                to: .begin(BeginFile(content, isForPeer: true)), as: UploadResult.self)
            while !state.isThere {
                guard state.isWanted else { return "no revision names it any more" }
                let began = ContinuousClock.now
                let offset = state.offset
                var data = ahead?.hash == content.hash && ahead?.offset == offset ? ahead?.data : nil
                ahead = nil
                if data == nil { data = try await bytes(of: content, at: offset, size) }
                guard let data, data.count <= content.bytes - offset, !data.isEmpty || offset == content.bytes else {
                    throw FileDenial.file("the other store does not have all of its bytes")
                }
                let put = PutFile(content: content, offset: offset, data: data, isForPeer: true)
                let end = offset + data.count
                async let following = part(of: end < content.bytes ? content : next, at: end < content.bytes ? end : 0, size)
                state = try await destination.answer(to: .put(put), as: UploadResult.self)
                ahead = await following
                size = Self.next(size, after: ContinuousClock.now - began)
            }
            return nil
        } catch FileDenial.differs(let reason) {
            // The source rereads its copy: if that is damaged, another store may bring the file to both.
            _ = try? await source.answer(to: .check(content.hash), as: FileCheckResult.self)
            return reason
        } catch FileDenial.file(let reason) {
            return reason
        }
    }

    /// Reads a part ahead; nil if that fails, so that it is read, and the failure reported, in its turn.
    private func part(of content: FileContent?, at offset: Int, _ size: Int) async -> Part? {
        guard let content, let data = try? await bytes(of: content, at: offset, size) else { return nil }
        return Part(hash: content.hash, offset: offset, data: data)
    }

    private func bytes(of content: FileContent, at offset: Int, _ part: Int) async throws -> [UInt8] {
        let get = GetFile(hash: content.hash, offset: offset, length: part)
        return try await source.answer(to: .get(get), as: FilePartResult.self).data
    }

    /// The bytes of a first part. Revisions that are written meanwhile wait for one part at most.
    private static var partMin: Int { 64 << 10 }

    /// The size of the next part, so that one takes about 100 ms.
    private static func next(_ part: Int, after time: Duration) -> Int {
        if time < .milliseconds(50) { return min(2 * part, PutFile.dataBytesMax) }
        return time > .milliseconds(200) ? max(part / 2, partMin) : part
    }
}

extension ListedFile {
    /// Removes the revisions that name the file. A hub does not list them, so that nothing is known to be complete.
    fileprivate func isLacking(in complete: inout DotSet) {
        complete = revisions.isEmpty ? DotSet() : complete.subtracting(revisions)
    }
}
