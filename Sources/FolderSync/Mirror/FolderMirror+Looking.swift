import Causality
import Console
import NotesClient
import NotesModel
import NotesWire

/// Looking at the folder.
extension FolderMirror {
    /// Looks at the folder: at everything, or at what has changed.
    ///
    /// - Returns: the recorded files that are not there. Those that have not been missing for long wait.
    mutating func scan(in run: inout MirrorRun) async throws -> [[UInt8]: FileRecord] {
        let start = nanoseconds()
        look(in: &run)
        var missing = missing()
        if !missing.isEmpty, case .lists = source {
            try await Task.sleep(for: missingTime)
            look(in: &run)
            missing = self.missing().filter { missing[$0.key] != nil }
        }
        missingSince = missingSince.filter { missing[$0.key] != nil }
        for path in missing.keys where missingSince[path] == nil { missingSince[path] = .now }
        // A stamp that is too new proves nothing in the next run. A watch reports later changes of the file.
        let isWatched = run.dirty != nil
        verified = verified.filter { path, stamp in
            found.stamps[path] == stamp && (isWatched || stamp.isTrusted(at: start))
        }
        return missing
    }

    private func missing() -> [[UInt8]: FileRecord] {
        let present = Set(found.paths)
        return records.files.filter { path, _ in !present.contains(path) && isAbsent(path) }
    }

    /// Whether a missing file has been missing for long enough; if not, it waits for another run.
    func isGone(_ path: [UInt8], in run: inout MirrorRun) -> Bool {
        guard case .watch = source, let since = missingSince[path] else { return true }
        if .now - since >= missingTime { return true }
        run.untouched.insert(path)
        run.wait(until: since + missingTime)
        return false
    }

    /// The files without a record, as far as they may be renamed ones: a file whose size no record has is not
    /// read.
    func fresh(among files: [ImportPlan.File], _ missing: [[UInt8]: FileRecord]) -> [FolderChanges.Fresh] {
        guard !missing.isEmpty else { return [] }
        let sizes = Set(records.files.values.map(\.bytes))
        return files.compactMap { file in
            guard records.files[file.path] == nil, case .file(let content)? = try? tree.look(at: file.path, sizes: sizes)
            else { return nil }
            return FolderChanges.Fresh(path: file.path, content: content, inode: found.stamps[file.path]?.inode)
        }
    }

    /// The recorded files with another text than their records, as far as they may have that of another
    /// one: a file whose size no other record has is not read.
    func changed(among files: [ImportPlan.File], _ missing: [[UInt8]: FileRecord]) -> [FolderChanges.Fresh] {
        let suspects = files.compactMap { file -> (path: [UInt8], bytes: Int, record: FileRecord)? in
            guard let record = records.files[file.path], let stamp = found.stamps[file.path], verified[file.path] != stamp else {
                return nil
            }
            return (file.path, stamp.bytes, record)
        }
        let sizes = (suspects.map(\.record) + missing.values).reduce(into: [:]) { $0[$1.bytes, default: 0] += 1 }
        return suspects.compactMap { suspect in
            guard sizes[suspect.bytes, default: 0] > (suspect.record.bytes == suspect.bytes ? 1 : 0),
                case .file(let content)? = try? tree.look(at: suspect.path, sizes: [suspect.bytes]),
                suspect.record.content != content
            else { return nil }
            return FolderChanges.Fresh(path: suspect.path, content: content)
        }
    }

    /// Whether a watching mirror should wait before it takes a file: one that was made or emptied just
    /// now may be half of what a program is writing.
    func mustWait(_ path: [UInt8], in run: inout MirrorRun) -> Bool {
        guard case .watch = source, let stamp = found.stamps[path] else { return false }
        let isText = NoteFileName.isText(path)
        let age = nanoseconds().minus(clamping: isText ? stamp.modified : max(stamp.modified, stamp.changed))
        let isEmptied = stamp.bytes == 0 && records.files[path]?.bytes != 0
        let time =
            missingTime == .zero
            ? 0 : isEmptied ? Self.emptyTime : !isText ? Self.contentQuietTime : records.files[path] == nil ? Self.newTime : 0
        guard (0..<time).contains(age) else { return false }
        run.wait(until: .now + .nanoseconds(time - age))
        return true
    }
}
