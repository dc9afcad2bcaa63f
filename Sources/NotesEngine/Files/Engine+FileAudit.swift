import NoteText
import NotesModel
import NotesStore

/// Some files that the worker compares with the folder.
private struct FileComparison {
    var files: [FileContent]
    let isHashed: Bool
    let stop: CancellationFlag
    var check: FileCheck?
    /// The files that are not there, or whose bytes were damaged.
    var lost: [FileHash] = []
}

extension Engine {
    /// Compares the files as the last part of an audit but one.
    func checkFiles(for audit: Audit) throws(JournalError) {
        let pass = FileAudit(audit)
        guard files.worker != nil else { return try checkIndex(for: pass) }
        maintenance.fileAudits[pass.dependent] = pass
        try checkMoreFiles(pass)
    }

    private func checkMoreFiles(_ pass: FileAudit) throws(JournalError) {
        var pass = pass
        let page: [FileContent]
        do throws(JournalError) {
            page = try noteCache.journal.namedFiles(after: pass.after, limit: FileAudit.filesPerStep)
        } catch {
            if case .fatal = error { throw error }
            pass.report.findings.append(
                AuditFinding(note: nil, dot: nil, what: "the names of files cannot be read: \(error.message)", affects: .derived))
            return try endFileAudit(pass)
        }
        guard let last = page.last, let worker = files.worker else { return try endFileAudit(pass) }
        pass.after = last.hash
        for file in page where !files.isThere(file) && !files.isDeclined(file) { try report(file.hash, isLost: false, to: &pass) }
        let there = page.filter { $0.bytes > 0 && files.isThere($0) }
        worker.performInSteps(
            FileComparison(files: there.reversed(), isHashed: pass.isHashed, stop: pass.stop),
            { (folder, comparison) throws(FileFault) in try folder.compare(&comparison) },
            pausing: pass.isHashed ? FileAudit.pause : 0,
            then: { [pass] result in
                self.enqueue { engine throws(JournalError) in try engine.compared(result, pass) }
            })
    }

    private func compared(_ result: Result<[FileHash], FileFault>, _ pass: FileAudit) throws(JournalError) {
        guard maintenance.fileAudits[pass.dependent]?.requestNumber == pass.requestNumber else { return }
        var pass = pass
        switch result {
        case .success(let lost):
            // What a purge erased meanwhile is not lost.
            for hash in lost where files.size(of: hash) != nil && !files.leaving.contains(hash) {
                self.lost(hash)
                try report(hash, isLost: true, to: &pass)
            }
            try checkMoreFiles(pass)
        case .failure(let fault):
            pass.add("files cannot be compared: \(fault)", note: nil)
            try endFileAudit(pass)
        }
    }

    private func report(_ hash: FileHash, isLost: Bool, to pass: inout FileAudit) throws(JournalError) {
        let note =
            pass.missing < FileAudit.reportedMax
            ? try noteCache.journal.namings(of: hash, before: nil, limit: 1).first?.note : nil
        let what = isLost ? "the bytes of the file \(hash) were lost or damaged" : "the bytes of the file \(hash) are not there"
        pass.add(what, note: note)
    }

    private func endFileAudit(_ pass: FileAudit) throws(JournalError) {
        var pass = pass
        maintenance.fileAudits[pass.dependent] = nil
        let rest = pass.missing - FileAudit.reportedMax
        if rest > 0 {
            pass.report.findings.append(
                AuditFinding(note: nil, dot: nil, what: "\(rest) more files are not there", affects: .files))
        }
        try checkIndex(for: pass)
    }
}

extension FileFolder {
    /// Compares some files, until 4 MiB are hashed. Damaged ones are set apart.
    ///
    /// - Returns: the files that are lost; nil if another step is needed.
    fileprivate func compare(_ comparison: inout FileComparison) throws(FileFault) -> [FileHash]? {
        var rest = FileSteps.hashedBytesMax
        while let file = comparison.files.last, !comparison.stop.isCancelled {
            guard rest > 0 else { return nil }
            var isWhole = true
            if comparison.check == nil, let size = try size(of: file.hash), size != file.bytes {
                try moveToDamaged(file.hash)
                isWhole = false
            } else if comparison.isHashed {
                var check = comparison.check ?? FileCheck(file.hash)
                comparison.check = check
                guard let result = try self.check(&check, bytesMax: rest) else {
                    comparison.check = check
                    return nil
                }
                isWhole = result
                rest -= min(file.bytes, rest)
            } else {
                isWhole = try size(of: file.hash) != nil
            }
            if !isWhole { comparison.lost.append(file.hash) }
            comparison.check = nil
            comparison.files.removeLast()
        }
        return comparison.lost
    }
}
