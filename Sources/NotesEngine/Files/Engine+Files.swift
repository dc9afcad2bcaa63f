import Dependents
import Logging
import NoteText
import NotesModel
import NotesStore

/// The size of the worker's steps.
enum FileSteps {
    /// Bytes that the worker hashes at once: some 2 ms.
    static let hashedBytesMax = 4 << 20
}

extension Engine {
    /// Executes a request about files. Returns the response, or nil if the worker's follows. Later requests of the
    /// connection wait for it.
    func take(_ file: FileRequest, _ request: Request) throws(JournalError) -> Response? {
        switch file {
        case .have(let hashes):
            let lacking = hashes.indices.filter { files.size(of: hashes[$0]) == nil }
            let lost = lacking.filter { files.lost.contains(hashes[$0]) }
            return .lacking(lacking, lost: lost, fetchBytesMax: files.fetchBytesMax)
        case .list(let list): return try self.list(list)
        case .begin, .put, .get, .check: break
        }
        guard let worker = files.worker else { return .failed(.file(.unavailable)) }
        switch file {
        case .begin(let begin):
            return try upload(begin.content, isForPeer: begin.isForPeer, request) { limits, upload in
                worker.perform(
                    { (folder) throws(FileFault) in
                        try folder.demandRoom(for: upload, limits)
                        return try folder.begin(upload, freeBytesMin: limits.freeBytesMin)
                    },
                    then: self.responding(to: request, about: upload.hash) { _, offset in .upload(isThere: false, offset: offset)
                    })
            }
        case .put(let put):
            return try upload(put.content, isForPeer: put.isForPeer, request) { limits, upload in
                worker.perform(
                    { (folder) throws(FileFault) in
                        try folder.demandRoom(for: upload, limits)
                        return try folder.append(put.data[...], at: put.offset, to: upload, freeBytesMin: limits.freeBytesMin)
                    },
                    then: { result in
                        if case .success(upload.bytes) = result { return self.finish(upload, request) }
                        self.responding(to: request, about: upload.hash) { _, offset in .upload(isThere: false, offset: offset) }(
                            result)
                    })
            }
        case .get(let get):
            guard let size = files.size(of: get.hash) else { return .failed(.file(.missing(get.hash))) }
            worker.perform(
                { (folder) throws(FileFault) in try folder.readable(get) },
                then: responding(to: request, about: get.hash, reading: true) { _, data in
                    .filePart(data, from: get.offset, of: size)
                })
        case .check(let hash):
            guard files.size(of: hash) != nil else { return .fileChecked(isThere: false) }
            worker.performInSteps(
                FileCheck(hash),
                { (folder, check) throws(FileFault) in try folder.check(&check, bytesMax: FileSteps.hashedBytesMax) },
                then: responding(to: request, about: hash) { engine, isThere in
                    if !isThere { engine.lost(hash) }
                    return .fileChecked(isThere: isThere)
                })
        case .have, .list: preconditionFailure("these were answered")
        }
        queuedBehind[request.dependent] = []
        return nil
    }

    /// Lets the worker carry out a part of an upload, unless its bytes are there.
    private func upload(
        _ content: FileContent, isForPeer: Bool, _ request: Request, _ perform: (FileLimits, FileUpload) -> Void
    ) throws(JournalError) -> Response? {
        let limits = configuration.files
        if files.isThere(content) {
            files.keep(content.hash, for: limits)
            return .upload(isThere: true, offset: content.bytes)
        }
        if isForPeer, try !noteCache.journal.isNamed(content.hash) {
            return .upload(isThere: false, offset: 0, isWanted: false)
        }
        if isForPeer, files.isDeclined(content) {
            return .failed(.file(.declined(bytes: content.bytes, limit: files.fetchBytesMax)))
        }
        guard isForPeer || content.bytes <= limits.bytesMax else {
            return .failed(.file(.tooLarge(bytes: content.bytes, limit: limits.bytesMax)))
        }
        guard content.bytes <= limits.totalBytesMax - files.bytes else {
            return .failed(.file(.allTooLarge(limit: limits.totalBytesMax)))
        }
        // Nil if the connection was cut short and is being closed.
        guard let registration = dependents.registration(of: request.dependent) else { return nil }
        perform(limits, FileUpload(user: registration.userID, hash: content.hash, bytes: content.bytes))
        queuedBehind[request.dependent] = []
        return nil
    }

    /// Compares a whole upload with its hash. Its file is there once its name is durable.
    private nonisolated func finish(_ upload: FileUpload, _ request: Request) {
        enqueue { engine throws(JournalError) in
            guard let worker = engine.files.worker else { return }
            worker.performInSteps(
                (),
                { (folder: FileFolder, _: inout Void) throws(FileFault) -> Bool? in
                    do throws(FileFault) {
                        guard try folder.finish(upload, bytesMax: FileSteps.hashedBytesMax) else { return nil }
                    } catch {
                        // Another connection of the user may have ended the same upload.
                        guard error == .missing, try folder.size(of: upload.hash) == upload.bytes else { throw error }
                    }
                    try folder.syncNames()
                    return true
                },
                then: self.responding(to: request, about: upload.hash) { (engine, _: Bool) in
                    // A purge of the same bytes came first, and the worker removes them next.
                    let erased = engine.noteCache.journal.filesToErase
                    guard !engine.files.leaving.contains(upload.hash), !erased.contains(upload.hash) else {
                        return .upload(isThere: false, offset: 0)
                    }
                    engine.files.arrived(FileContent(hash: upload.hash, bytes: upload.bytes))
                    engine.files.keep(upload.hash, for: engine.configuration.files)
                    return .upload(isThere: true, offset: upload.bytes)
                })
        }
    }

    /// A function that lets the engine answer a request with the worker's result.
    ///
    /// - Parameters:
    ///   - hash: the file that the request is about.
    ///   - isRead: whether the request reads it, so that it is lost if the worker does not find it.
    private nonisolated func responding<Value: Sendable>(
        to request: Request, about hash: FileHash, reading isRead: Bool = false,
        _ response: @escaping @Sendable (isolated Engine, Value) -> Response
    ) -> @Sendable (Result<Value, FileFault>) -> Void {
        { result in
            self.enqueue { engine throws(JournalError) in
                let answer: Response
                switch result {
                case .success(let value): answer = response(engine, value)
                case .failure(let fault): answer = engine.response(to: fault, about: hash, reading: isRead)
                }
                engine.files.ended.append((request.dependent, request.requestNumber, answer))
            }
        }
    }

    private func response(to fault: FileFault, about hash: FileHash, reading isRead: Bool) -> Response {
        if case .failed(let reason) = fault {
            logger.error(
                "the bytes of a file could not be read or written", metadata: ["event": "file-failed", "error": "\(reason)"])
        }
        if isRead, fault == .missing, files.size(of: hash) != nil { lost(hash) }
        switch fault {
        case .noRoom(let reason): return .failed(.storageFull(reason))
        case .differs: return .failed(.file(.differs(hash)))
        case .missing: return .failed(.file(.missing(hash)))
        case .tooMany: return .failed(.file(.tooManyUploads))
        case .failed(let reason): return .failed(.storageFailed(reason))
        }
    }

    /// The bytes of a file are lost. They are missing until somebody uploads them again.
    func lost(_ hash: FileHash) {
        files.lose(hash)
        logger.error(
            "the bytes of a file are lost or damaged; add the file again",
            metadata: ["event": "file-lost", "sha256": "\(hash)"])
    }

    /// Sends the responses of the worker. Not called within a turn.
    func deliverFileResponses() throws(JournalError) {
        while !files.ended.isEmpty {
            let (dependent, requestNumber, response) = files.ended.removeFirst()
            try release(dependent, requestNumber: requestNumber, response)
        }
    }

    /// Removes some of the files that nothing in the store names any more.
    func sweepFiles(at seconds: UInt64) throws(JournalError) {
        guard files.worker != nil else { return }
        files.tick(at: seconds, limits: configuration.files)
        removeStaleUploads()
        guard maintenance.backup == nil else { return }
        let unneeded = try files.unneeded { (hash) throws(JournalError) in try noteCache.journal.isNamed(hash) }
        remove(unneeded) { _ in }
    }

    /// Removes the bytes that a purge erased, and then the record that says so.
    func eraseFiles() throws(JournalError) {
        // A backup copies files that the store may have let go since it began.
        guard maintenance.backup == nil else { return }
        let erased = noteCache.journal.filesToErase.filter { !files.leaving.contains($0) }
        guard files.worker != nil else { return try noteCache.journal.forgetErased(erased) }
        remove(erased) { (engine) throws(JournalError) in
            try engine.noteCache.journal.forgetErased(erased)
            try engine.scrub()
        }
    }

    private func remove(_ hashes: [FileHash], then done: @escaping @Sendable (isolated Engine) throws(JournalError) -> Void) {
        guard !hashes.isEmpty, let worker = files.worker else { return }
        files.remove(hashes)
        worker.perform(
            { (folder) throws(FileFault) in try folder.remove(hashes) },
            then: { result in
                self.enqueue { engine throws(JournalError) in
                    engine.files.removed(hashes)
                    switch result {
                    case .success: try done(engine)
                    case .failure(let fault):
                        engine.logger.warning(
                            "the bytes of files could not be removed; the daemon tries again at its next start",
                            metadata: ["event": "file-failed", "error": "\(fault)"])
                    }
                }
            })
    }

    private func removeStaleUploads() {
        guard files.now % 3_600 < 5, let worker = files.worker else { return }
        let (seconds, now) = (configuration.files.keptSeconds, Int(now().milliseconds / 1_000))
        worker.perform(
            { (folder) throws(FileFault) in try folder.removeStaleUploads(olderThan: seconds, now: now) }, then: { _ in })
    }

    private func list(_ list: ListFiles) throws(JournalError) -> Response {
        switch list.state {
        case .unnamed:
            let page = files.next(after: list.after, limit: list.limit)
            var found: [ListedFile] = []
            for content in page where try !noteCache.journal.isNamed(content.hash) {
                found.append(ListedFile(content: content, notes: []))
            }
            return .files(found, next: page.count < list.limit ? nil : page.last?.hash)
        case .missing, .declined, .named:
            let page = try noteCache.journal.namedFiles(after: list.after, limit: list.limit)
            var found: [ListedFile] = []
            for content in page {
                let isMissing = !files.isThere(content) && files.isDeclined(content) == (list.state == .declined)
                if isMissing || list.state == .named { found.append(try noteCache.journal.listed(content)) }
            }
            return .files(found, next: page.count < list.limit ? nil : page.last?.hash)
        }
    }
}

extension FileFolder {
    /// Reads bytes of a file. A file that cannot be read is set apart, so that another copy can take its place.
    fileprivate func readable(_ get: GetFile) throws(FileFault) -> [UInt8] {
        do throws(FileFault) { return try read(get.hash, from: get.offset, count: get.length) } catch {
            guard case .failed = error else { throw error }
            try moveToDamaged(get.hash)
            throw .missing
        }
    }

    /// Refuses an upload if its user or all have as many as they may.
    fileprivate func demandRoom(for upload: FileUpload, _ limits: FileLimits) throws(FileFault) {
        guard !uploads.contains(where: { $0.key == UploadKey(user: upload.user, hash: upload.hash) }) else { return }
        let (own, all) = (amount(ofUser: upload.user), amount(ofUser: nil))
        guard own.uploads < limits.uploadsOfUserMax, all.uploads < limits.uploadsMax,
            own.bytes + upload.bytes <= limits.uploadBytesOfUserMax
        else { throw .tooMany }
    }
}
