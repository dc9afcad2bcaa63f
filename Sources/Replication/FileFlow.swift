import Causality
import NoteText
import NotesModel
import NotesWire
import Synchronization

/// Carries the bytes of files from one store to another, after the revisions that name them.
///
/// The destination decides what it wants: it lists the files that its revisions name and whose bytes it lacks, without those that it declines. An upload
/// that was cut continues where it was. So the flow keeps nothing that lasts, as `RevisionFlow`.
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

    /// The destination took revisions. Some of them may name bytes that it lacks.
    func take(_ incomplete: DotSet) {
        if !incomplete.isEmpty { self.incomplete.withLock { $0.formUnion(incomplete) } }
        arrival.yield()
    }

    /// Looks again: the destination may take larger files than before.
    func look() { arrival.yield() }

    /// The revisions of the destination that name bytes which it lacks.
    func missing() async throws -> DotSet {
        var (after, missing) = (FileHash?.none, DotSet())
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
    /// lacks any, the flow looks every ten seconds.
    func run(_ report: @escaping @Sendable (FlowEvent) -> Void) async throws {
        var arrivals = arrivals.makeAsyncIterator()
        var (lacking, failed) = (0, Set<FileHash>())
        repeat {
            lacking = try await carry(&failed, report)
        } while await isNext(of: &arrivals, isLacking: lacking > 0)
        try Task.checkCancellation()
    }

    /// Waits until the flow is to look again. Returns false if it was cancelled.
    private func isNext(of arrivals: inout AsyncStream<Void>.Iterator, isLacking: Bool) async -> Bool {
        guard isLacking else { return await arrivals.next() != nil }
        // Ends with this scope.
        async let _: Void = { [sleep, arrival] in
            try? await sleep(.seconds(10))
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
        var (after, lacking, part) = (FileHash?.none, 0, Self.partMin)
        var complete = incomplete.withLock { $0 }
        do {
            repeat {
                let page = try await destination.answer(to: .list(ListFiles(.missing, after: after)), as: ListFilesResult.self)
                after = page.next
                guard !page.files.isEmpty else { continue }
                lacking += page.files.count
                report(.files(lacking: lacking))
                let hashes = page.files.map(\.content.hash)
                let absent = Set(try await source.answer(to: .have(hashes), as: HaveFilesResult.self).lacks)
                for index in absent where hashes.indices.contains(index) {
                    complete = complete.subtracting(page.files[index].revisions)
                }
                for (index, file) in page.files.enumerated() where !absent.contains(index) {
                    if let reason = try await failure(carrying: file.content, &part) {
                        complete = complete.subtracting(file.revisions)
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

    /// Carries one file. Returns why the destination does not have it afterwards; nil if it does.
    ///
    /// While the destination writes a part, the source reads the next one.
    ///
    /// - Parameter part: the bytes of the first part, and afterwards of the last.
    /// - Throws: `FileDenial.later`, or an error of a connection.
    private func failure(carrying content: FileContent, _ part: inout Int) async throws -> String? {
        do {
            var ahead: (offset: Int, data: [UInt8])?
            var state = try await destination.answer(
                to: .begin(BeginFile(content, isForPeer: true)), as: UploadResult.self)
            while !state.isThere {
                guard state.isWanted else { return "no revision names it any more" }
                let began = ContinuousClock.now
                let offset = state.offset
                var data = ahead?.offset == offset ? ahead?.data : nil
                if data == nil { data = try await bytes(of: content, at: offset, part) }
                guard let data, data.count <= content.bytes - offset, !data.isEmpty || offset == content.bytes else {
                    throw FileDenial.file("the other store does not have all of its bytes")
                }
                let put = PutFile(content: content, offset: offset, data: data, isForPeer: true)
                let end = offset + data.count
                async let next = end < content.bytes ? bytes(of: content, at: end, part) : []
                state = try await destination.answer(to: .put(put), as: UploadResult.self)
                ahead = (end, try await next)
                part = Self.next(part, after: ContinuousClock.now - began)
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
