import Foundation
import NoteText
import NotesClient
import NotesModel
import NotesWire
import TestKit
import Testing

extension EndToEnd {
    /// Tests of `notesctl edit` with concurrent writers. The editors are scripts that save as real
    /// editors do.
    ///
    /// Helpers for the scripts: `wait_for FILE WORD` waits until a file contains a word, `shown
    /// WORD` until the note does; `say NAME` and `hear NAME` synchronise with the test. All give up
    /// after a minute, so that a failure ends.
    @Suite struct NotesctlEditTests {
        /// Words for scripts: `wait_for FILE WORD` until a file has a word, `shown WORD` until the
        /// note has one, `say NAME` and `hear NAME` for the test. All give up after a minute, so
        /// that a failure is an end.
        private static func script(_ daemon: DaemonProcess, _ body: String) -> String {
            """
            file="$1"; dir="\(daemon.scratch.path)"; notesctl() { "\(Binaries.notesctl)" --socket "\(daemon.socket)" "$@"; }
            try() { n=0; until "$@"; do n=$((n+1)); [ $n -lt 1200 ] || exit 9; sleep 0.05; done; }
            wait_for() { try grep -qsF -- "$2" "$1"; }
            has() { "\(Binaries.notesctl)" show a --socket "\(daemon.socket)" 2>/dev/null | grep -qF -- "$1"; }
            shown() { try has "$1"; }
            say() { touch "$dir/$1"; }
            hear() { try test -e "$dir/$1"; }
            \(body)
            """
        }

        /// Writes a text into the file in place. One program truncates and fills it, so that it is
        /// empty only briefly.
        private static func writing(_ name: String) -> String {
            #"printf '%s\n' "$(cat "$dir/\#(name)")" > "$file""#
        }

        private static func awaitFile(_ daemon: DaemonProcess, _ word: String) async throws {
            for _ in 0..<1_200 where !FileManager.default.fileExists(atPath: daemon.scratch.file(word)) {
                try await Task.sleep(for: .milliseconds(50))
            }
            try #require(FileManager.default.fileExists(atPath: daemon.scratch.file(word)), "\(word) never arrived")
        }

        /// Runs `notesctl edit`; the tests run it with `--live` if others write while the file is open.
        private static func edit(_ daemon: DaemonProcess, isLive: Bool = false, _ body: String) async throws -> Command {
            let editor = try daemon.scratch.write(script(daemon, body), to: "editor.sh")
            return try await daemon.notesctl(
                ["edit", "a"] + (isLive ? ["--live"] : []),
                environment: ["EDITOR": "sh \(editor)", "XDG_STATE_HOME": daemon.scratch.path])
        }

        /// Saves reach the note at once, changes by others reach the file while the editor is open,
        /// and both continue from there.
        @Test func openEditor_exchangesChangesBothWays() async throws {
            try await DaemonProcess.run { daemon in
                _ = try await daemon.notesctl("new", "a", input: "one\n")
                let other = try await daemon.client("vim")
                async let edited = Self.edit(
                    daemon, isLive: true,
                    "echo two >> \"$file\"; shown two; say saved; wait_for \"$file\" zero; echo three >> \"$file\"")
                try await Self.awaitFile(daemon, "saved")
                let note = try await other.note(.name("a"))
                #expect(note.text == bytes("one\ntwo\n"))
                #expect(try await other.dependents().contains { $0.presence?.note == note.head.id })
                _ = try await other.save(note.head.id, base: note.head.version, text: bytes("zero\none\ntwo\n"))
                let end = try await edited
                #expect(end.end == .exited(0) && end.errors.contains("vim changed it"), "\(end.errors)")
                #expect(try await other.note(.name("a")).text == bytes("zero\none\ntwo\nthree\n"))
                #expect(try daemon.scratch.drafts().isEmpty)
                await other.close()
            }
        }

        /// Until the editor saves, changes by others do not touch its file, so no editor offers to reload
        /// it and discard what was typed. Right after each save, the file has them.
        @Test func openFile_isLeftAloneUntilSave() async throws {
            try await DaemonProcess.run { daemon in
                _ = try await daemon.notesctl("new", "a", input: "one\n")
                let other = try await daemon.client("vim")
                let editor = try daemon.scratch.write(
                    Self.script(
                        daemon,
                        """
                        ls -i "$file" > "$dir/before"; say open
                        wait_for "$dir/errors" "vim changed it; your file shows the change after you save"
                        ls -i "$file" > "$dir/after"; cp "$file" "$dir/unsaved"
                        echo mine >> "$file"; wait_for "$file" zero; wait_for "$file" mine; say saved
                        """), to: "editor.sh")
                let errors = daemon.scratch.file("errors")
                async let edited = Command.run(
                    "/bin/sh", ["-c", "exec \"\(Binaries.notesctl)\" edit a 2> \"\(errors)\""],
                    environment: [
                        "EDITOR": "sh \(editor)", "NOTESD_SOCKET": daemon.socket, "XDG_STATE_HOME": daemon.scratch.path,
                    ])
                try await Self.awaitFile(daemon, "open")
                let note = try await other.note(.name("a"))
                _ = try await other.save(note.head.id, base: note.head.version, text: bytes("zero\none\n"))
                try await Self.awaitFile(daemon, "saved")
                #expect(try await edited.end == .exited(0))
                #expect(try Files.read(daemon.scratch.file("unsaved")) == bytes("one\n"))
                #expect(try Files.read(daemon.scratch.file("after")) == Files.read(daemon.scratch.file("before")))
                #expect(try await other.note(.name("a")).text == bytes("zero\none\nmine\n"))
                await other.close()
            }
        }

        /// An editor that does not reread the file writes its old text, in place or by replacing
        /// the file: changes that it never showed stay.
        @Test(arguments: [writing("buffer"), "cp \"$dir/buffer\" \"$file.new\"; mv \"$file.new\" \"$file\""])
        func staleBuffer_removesNothingItNeverShowed(save: String) async throws {
            try await DaemonProcess.run { daemon in
                _ = try await daemon.notesctl("new", "a", input: "one\nmiddle\nlast\n")
                let other = try await daemon.client("vim")
                async let edited = Self.edit(
                    daemon, isLive: true,
                    """
                    cp "$file" "$dir/buffer"; say open; wait_for "$file" zero
                    echo mine >> "$dir/buffer"; \(save); shown mine
                    echo more >> "$dir/buffer"; \(save)
                    """)
                try await Self.awaitFile(daemon, "open")
                let note = try await other.note(.name("a"))
                _ = try await other.save(note.head.id, base: note.head.version, text: bytes("zero\none\nmiddle\nlast\n"))
                let end = try await edited
                #expect(end.end == .exited(0), "\(end.errors)")
                #expect(try await other.note(.name("a")).text == bytes("zero\none\nmiddle\nlast\nmine\nmore\n"))
                await other.close()
            }
        }

        /// An editor that rereads the file, to compare it or for a backup, may still show the old
        /// text.
        @Test func textReadButNotShown_isNotRemoved() async throws {
            try await DaemonProcess.run { daemon in
                _ = try await daemon.notesctl("new", "a", input: "one\n")
                let other = try await daemon.client("vim")
                async let edited = Self.edit(
                    daemon, isLive: true,
                    """
                    cp "$file" "$dir/buffer"; say open; wait_for "$file" zero
                    cat "$file" > "$dir/compared"; sleep 1; cat "$file" > "$dir/compared"; sleep 1
                    echo mine >> "$dir/buffer"; \(Self.writing("buffer"))
                    """)
                try await Self.awaitFile(daemon, "open")
                let note = try await other.note(.name("a"))
                _ = try await other.save(note.head.id, base: note.head.version, text: bytes("zero\none\n"))
                #expect(try await edited.end == .exited(0))
                #expect(try await other.note(.name("a")).text == bytes("zero\none\nmine\n"))
                await other.close()
            }
        }

        /// Text that the editor has saved once was seen, so the user may delete it.
        @Test func shownText_canBeRemoved() async throws {
            try await DaemonProcess.run { daemon in
                _ = try await daemon.notesctl("new", "a", input: "one\n")
                let other = try await daemon.client("vim")
                async let edited = Self.edit(
                    daemon, isLive: true,
                    """
                    say open; wait_for "$file" zero; cp "$file" "$dir/buffer"
                    echo mine >> "$dir/buffer"; \(Self.writing("buffer")); shown mine
                    grep -v zero "$dir/buffer" > "$dir/left"; \(Self.writing("left"))
                    """)
                try await Self.awaitFile(daemon, "open")
                let note = try await other.note(.name("a"))
                _ = try await other.save(note.head.id, base: note.head.version, text: bytes("zero\none\n"))
                #expect(try await edited.end == .exited(0))
                #expect(try await other.note(.name("a")).text == bytes("one\nmine\n"))
                await other.close()
            }
        }

        /// The editor writes a text to the old file, and the daemon refuses the text: it stays on
        /// disk.
        @Test func unsavedStray_isKeptAndReported() async throws {
            try await DaemonProcess.run { daemon in
                _ = try await daemon.notesctl("new", "a", input: "one\n")
                let other = try await daemon.client("vim")
                async let edited = Self.edit(
                    daemon, isLive: true, "exec 3>>\"$file\"; say open; wait_for \"$file\" zero; printf 'mine\\377' >&3; sleep 1")
                try await Self.awaitFile(daemon, "open")
                let note = try await other.note(.name("a"))
                _ = try await other.save(note.head.id, base: note.head.version, text: bytes("zero\none\n"))
                let end = try await edited
                #expect(end.end == .exited(65) && end.errors.contains("is not valid UTF-8"), "\(end.errors)")
                let told = try #require(end.errors.split(separator: "\n").first { $0.contains("is in /") })
                let path = try #require(told.components(separatedBy: "is in ").last)
                #expect(try Files.read(path) == bytes("one\nmine") + [0xFF])
                #expect(try await other.note(.name("a")).text == bytes("zero\none\n"))
                await other.close()
            }
        }

        /// Files that an editor makes beside its file are removed, except for recovery files that
        /// it leaves if it dies.
        @Test func editorsExtraFiles_areRemovedExceptRecoveryFiles() async throws {
            try await DaemonProcess.run { daemon in
                _ = try await daemon.notesctl("new", "a", input: "one\n")
                let end = try await Self.edit(daemon, "cp \"$file\" \"$file~\"; echo two >> \"$file\"; shown two")
                #expect(end.end == .exited(0), "\(end.errors)")
                #expect(try daemon.scratch.drafts().isEmpty)
                let died = try await Self.edit(
                    daemon, "cp \"$file\" \"$file~\"; echo secret > \"${file%/*}/.a.md.swp\"; shown two; sleep 1")
                #expect(died.errors.contains("left unsaved text in /"), "\(died.errors)")
                let left = try #require(try daemon.scratch.drafts().first)
                #expect(try FileManager.default.contentsOfDirectory(atPath: daemon.scratch.file(left)) == [".a.md.swp"])
            }
        }

        /// A save that is merged is reported once, and as a merge only if it is not in conflict.
        @Test(arguments: [
            ("one\ntwo\nTHREE\n", "your save was merged with changes made by others", 0),
            ("one\ntwo\nthird\n", "others changed the same place", 2),
        ])
        func merge_isReportedOnce(theirs: String, words: String, code: Int32) async throws {
            try await DaemonProcess.run { daemon in
                _ = try await daemon.notesctl("new", "a", input: "one\ntwo\nthree\n")
                _ = try daemon.scratch.write(code == 0 ? "ONE\ntwo\nthree" : "one\ntwo\n3", to: "buffer")
                let other = try await daemon.client("vim")
                // The file is replaced before the editor's old text is written, so the editor never shows
                // the change by others.
                async let edited = Self.edit(
                    daemon, "say open; hear changed; \(Self.writing("buffer")); shown \(code == 0 ? "ONE" : "3")")
                try await Self.awaitFile(daemon, "open")
                let note = try await other.note(.name("a")).head
                _ = try await other.save(note.id, base: note.version, text: bytes(theirs))
                _ = try daemon.scratch.write("", to: "changed")
                let end = try await edited
                #expect(end.end == .exited(code) && end.errors.contains(words), "\(end.errors)")
                #expect(end.errors.components(separatedBy: "merged").count == (code == 0 ? 2 : 1), "\(end.errors)")
                await other.close()
            }
        }

        /// The editor's save and a change by others conflict, and the editor resolves the conflict
        /// before it exits.
        @Test func conflictResolvedInEditor_isNotReported() async throws {
            try await DaemonProcess.run { daemon in
                _ = try await daemon.notesctl("new", "a", input: "one\n")
                let other = try await daemon.client("vim")
                async let edited = Self.edit(
                    daemon, isLive: true,
                    """
                    cp "$file" "$dir/buffer"; say open; wait_for "$file" theirs
                    echo mine > "$file"; shown mine; shown theirs
                    "\(Binaries.notesctl)" resolve a --both --socket "\(daemon.socket)"; say resolved
                    """)
                try await Self.awaitFile(daemon, "open")
                let note = try await other.note(.name("a"))
                _ = try await other.save(note.head.id, base: note.head.version, text: bytes("theirs\n"))
                let end = try await edited
                let now = try await other.note(.name("a"))
                #expect(now.conflicts.isEmpty)
                #expect(end.end == .exited(0), "\(end.errors)")
                await other.close()
            }
        }

        /// If notesctl is killed, it leaves its file, and the next edit of the note reports the
        /// path.
        @Test func killedEdit_leavesFile_andNextEditReportsIt() async throws {
            try await DaemonProcess.run { daemon in
                _ = try await daemon.notesctl("new", "a", input: "one\n")
                let killed = try await Self.edit(
                    daemon,
                    """
                    p=$$
                    until [ "$(cat /proc/$p/comm)" = notesctl ]; do
                        p=$(sed -n 's/^PPid:[[:space:]]*//p' /proc/$p/status); [ "$p" -gt 1 ] || exit 9
                    done
                    echo two >> "$file"; kill -9 "$p"; echo three >> "$file"; say done
                    """)
                try await Self.awaitFile(daemon, "done")
                #expect(killed.end != .exited(0))
                let drafts = try daemon.scratch.drafts()
                #expect(drafts.count == 1)
                let next = try await Self.edit(daemon, "true")
                let file = "\(drafts.first ?? "?")/a.md"
                #expect(try Files.read(daemon.scratch.file(file)) == bytes("one\ntwo\nthree\n"))
                #expect(next.errors.contains("was interrupted") && next.errors.contains(drafts.first ?? "?"), "\(next.errors)")
            }
        }

        /// The same for a note that did not exist yet, in a directory that outlasts a login
        /// session.
        @Test func killedEditOfNewNote_leavesFile() async throws {
            try await DaemonProcess.run { daemon in
                let editor = try daemon.scratch.write(
                    Self.script(daemon, "echo new > \"$file\"; kill -9 $PPID; say done"), to: "editor.sh")
                let environment = [
                    "EDITOR": "exec sh \(editor)", "XDG_STATE_HOME": daemon.scratch.path,
                    "XDG_RUNTIME_DIR": daemon.scratch.file("run"),
                ]
                let killed = try await daemon.notesctl(["edit", "--create", "b"], environment: environment)
                try await Self.awaitFile(daemon, "done")
                #expect(killed.end != .exited(0))
                let left = try #require(try daemon.scratch.drafts().first)
                #expect(try Files.read(daemon.scratch.file("\(left)/b.md")) == bytes("new\n"))
                let next = try await daemon.notesctl(
                    ["edit", "--create", "b"],
                    environment: ["EDITOR": "true", "XDG_STATE_HOME": daemon.scratch.path])
                #expect(next.errors.contains("was interrupted") && next.errors.contains(left), "\(next.errors)")
            }
        }

        /// An editor that passes the file to a window and returns still has the file open.
        @Test func editorEndingAtOnce_keepsFileForNextEdit() async throws {
            try await DaemonProcess.run { daemon in
                _ = try await daemon.notesctl("new", "a", input: "one\n")
                let environment = ["EDITOR": "true", "XDG_STATE_HOME": daemon.scratch.path]
                // If it ran long enough to be read, it did not return "at once": so the whole takes
                // over a second.
                var first = try await daemon.notesctl(["edit", "a"], environment: environment)
                for _ in 0..<20 where first.end == .exited(0) && !first.errors.contains("code --wait") {
                    first = try await daemon.notesctl(["edit", "a"], environment: environment)
                }
                #expect(first.end == .exited(0) && first.errors.contains("code --wait"), "\(first.errors)")
                let left = try #require(try daemon.scratch.drafts().first)
                let next = try await daemon.notesctl(["edit", "a"], environment: environment)
                #expect(!next.errors.contains("was interrupted"), "nothing is in it that is not in the note: \(next.errors)")
                try Files.write(bytes("two\n"), to: daemon.scratch.file("\(left)/a.md"))
                let third = try await daemon.notesctl(["edit", "a"], environment: environment)
                #expect(third.errors.contains("was interrupted") && third.errors.contains(left), "\(third.errors)")
            }
        }

        /// The editor saves stale and fresh texts, in place and by renaming, while others write and
        /// the daemon is killed: every text written by anyone is in the result once.
        @Test(arguments: newSeeds(3)) func randomEdits_loseNothing(seed: UInt64) async throws {
            try await DaemonProcess.run { daemon in
                var random = SeededGenerator(seed: seed)
                _ = try await daemon.notesctl("new", "a", input: "first\n\nmiddle\n\nlast\n")
                let other = try await daemon.client("vim") {
                    $0.reconnecting = Backoff()
                    $0.resending = .whatMayBeRepeated
                }
                var body = "cp \"$file\" \"$dir/buffer\"; say open\n"
                var words = (0..<14).map { "mine-\($0)." }
                for word in words {
                    if random.chance(0.5) { body += "cp \"$file\" \"$dir/buffer\"\n" }
                    body +=
                        random.chance(0.5)
                        ? "echo '\(word)' >> \"$dir/buffer\"\n" : "sed -i '1s/$/ \(word)/' \"$dir/buffer\"\n"
                    body +=
                        random.chance(0.5)
                        ? Self.writing("buffer") + "\n" : "cp \"$dir/buffer\" \"$file.n\"; mv \"$file.n\" \"$file\"\n"
                    body += random.chance(0.6) ? "shown '\(word)'\n" : ""
                    body += "sleep 0.\(random.below(4))\n"
                }
                // After the editor exits, it does not wait for a daemon that starts slowly.
                body += "hear over\n"
                async let edited = Self.edit(daemon, isLive: seed % 2 == 0, body)
                try await Self.awaitFile(daemon, "open")
                for number in 0..<20 {
                    let note = try await other.note(.name("a"))
                    let word = "theirs-\(number)."
                    let length = note.text?.count ?? 0
                    let middle = note.text.map { String(decoding: $0, as: UTF8.self) }?.range(of: "middle")
                    let offset = middle == nil || random.chance(0.4) ? length : 0
                    let edit = PositionedEdit(start: offset, end: offset, text: bytes(word + "\n"))
                    words.append(word)
                    _ = try await other.edit(note.head.id, base: note.head.version, edits: [edit])
                    if number % 6 == 5 { try await daemon.restart(after: SIGKILL) }
                    try await Task.sleep(for: .milliseconds(random.below(300)))
                }
                _ = try await other.status()
                try daemon.scratch.write("", to: "over")
                let end = try await edited
                #expect([.exited(0), .exited(2)].contains(end.end), "seed \(seed): \(end.errors)")
                let text = String(decoding: try await other.note(.name("a")).text ?? [], as: UTF8.self)
                for word in words {
                    #expect(text.components(separatedBy: word).count == 2, "seed \(seed): \(word) is not once in \(text)")
                }
                await other.close()
            }
        }
    }
}

extension Scratch {
    /// Directories left by edits.
    fileprivate func drafts() throws -> [String] {
        let folder = file("notesctl")
        guard FileManager.default.fileExists(atPath: folder) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix("draft-") }.map {
            "notesctl/" + $0
        }
    }
}
