import Console
import Glibc

extension NoteFiles.Found {
    /// Reads folders and all below them.
    ///
    /// - Parameters:
    ///   - folders: paths below the directory, of folders of which nothing is here.
    ///   - entering: called with the path of each folder before it is read.
    mutating func read(
        _ folders: [[UInt8]], _ tree: FileTree, _ selection: NoteFiles.Selection, entering: ([UInt8]) -> Void
    ) {
        // A list of directories to read instead of recursion, so that no tree is too deep.
        var pending = folders
        while let path = pending.popLast() {
            do throws(Descriptor.OpenError) {
                let folder = try tree.folder(path)
                if selection.omitted.contains(path) || selection.isWithoutLocked && !path.isEmpty && folder.isLocked {
                    ofOtherMirrors.insert(path)
                    continue
                }
                entering(path)
                try read(folder, at: path, selection, &pending)
                self.folders.insert(path)
            } catch {
                unreadable.append((path, error.text))
            }
        }
        paths.sort { $0.lexicographicallyPrecedes($1) }
    }

    private mutating func read(
        _ folder: borrowing Descriptor, at path: [UInt8], _ selection: NoteFiles.Selection, _ pending: inout [[UInt8]]
    ) throws(Descriptor.OpenError) {
        guard let stream = fdopendir(dup(folder.number)) else { throw Descriptor.OpenError(number: errno) }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8) { continue }
            var status = stat()
            guard name.withCPath({ fstatat(folder.number, $0, &status, AT_SYMLINK_NOFOLLOW) }) == 0 else { continue }
            take(name, at: path.isEmpty ? name : path + [UInt8(ascii: "/")] + name, status, selection, &pending)
        }
    }

    /// Takes in what has a path.
    ///
    /// - Parameter pending: folders to read.
    private mutating func take(
        _ name: [UInt8], at path: [UInt8], _ status: stat, _ selection: NoteFiles.Selection, _ pending: inout [[UInt8]]
    ) {
        let kind = status.st_mode & S_IFMT
        if !selection.isWithHidden, NoteFiles.isHidden(name, isFolder: kind == S_IFDIR) {
            if kind == S_IFREG, TemporaryName(parsing: name) != nil, !temporary.contains(path) { temporary.append(path) }
            others.hidden += 1
            return
        }
        if selection.excludes(name, at: path) {
            others.excluded += 1
            return
        }
        switch kind {
        case S_IFDIR: pending.append(path)
        case S_IFREG:
            switch NoteFileName.isText(name) ? nil : selection.files.omission(of: name, bytes: Int(status.st_size)) {
            case nil: if stamps.updateValue(FileStamp(status), forKey: path) == nil { paths.append(path) }
            case .kind?: others.count(file: name)
            case .large?: others.large += 1
            case .passing?: others.passing += 1
            }
        case S_IFLNK: others.links += 1
        default: others.special += 1
        }
    }

    /// Looks again at paths where something may have changed. Afterwards, what is found is what a scan of
    /// everything would find, if nothing else has changed; except for the counts of other files.
    ///
    /// - Parameters:
    ///   - changed: paths in folders that were read.
    ///   - entering: as in `read`.
    /// - Returns: whether a folder has come or gone.
    /// - Complexity: O(changed paths) calls of the system, and O(files) without calls if files or folders
    ///   have come or gone.
    mutating func refresh(
        _ changed: Set<[UInt8]>, _ tree: FileTree, _ selection: NoteFiles.Selection, entering: ([UInt8]) -> Void
    ) -> Bool {
        var (gone, goneFolders, pending): (Set<[UInt8]>, [[UInt8]], [[UInt8]]) = ([], [], [])
        let count = paths.count
        temporary.removeAll { changed.contains($0) }
        for path in changed {
            let status = try? tree.status(of: path)
            let isFile = status.map { $0.st_mode & S_IFMT == S_IFREG } ?? false
            if !isFile, stamps.removeValue(forKey: path) != nil { gone.insert(path) }
            if folders.contains(path) { goneFolders.append(path) }
            guard let status else { continue }
            let name = path.lastIndex(of: UInt8(ascii: "/")).map { Array(path[($0 + 1)...]) } ?? path
            take(name, at: path, status, selection, &pending)
        }
        let isAdded = paths.count > count
        // A folder that is still there is read again: it may be another one.
        for folder in goneFolders { remove(below: folder + [UInt8(ascii: "/")], &gone) }
        if !gone.isEmpty { paths.removeAll { gone.contains($0) && stamps[$0] == nil } }
        let isOfFolders = !pending.isEmpty || !goneFolders.isEmpty
        if isOfFolders || isAdded { read(pending, tree, selection, entering: entering) }
        return isOfFolders
    }

    /// Removes what was found in a folder.
    ///
    /// - Parameter start: the path of the folder with a `/`.
    private mutating func remove(below start: [UInt8], _ gone: inout Set<[UInt8]>) {
        folders = folders.filter { $0 != start.dropLast() && !$0.starts(with: start) }
        temporary.removeAll { $0.starts(with: start) }
        for path in paths where path.starts(with: start) && stamps.removeValue(forKey: path) != nil { gone.insert(path) }
    }
}
