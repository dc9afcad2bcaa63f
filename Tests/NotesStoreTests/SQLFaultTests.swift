import CSQLite
import Foundation
import NotesSQL
import Testing

@testable import NotesStore

/// The meaning of each SQLite error at each moment.
@Suite struct SQLFaultMeaning {
    struct Case: CustomTestStringConvertible {
        let code: Int32
        var system: Int32 = 0
        let writing: String
        let committing: String
        let checkpointing: String
        let reading: String
        var testDescription: String { "\(code) with \(system)" }
    }

    /// `SQLITE_IOERR_SHMSIZE`, a macro that Swift cannot import.
    private static let ioSharedMemorySize = SQLITE_IOERR | 19 << 8

    static let cases = [
        Case(code: SQLITE_FULL, system: ENOSPC, writing: "full", committing: "full", checkpointing: "full", reading: "failed"),
        Case(
            code: SQLFault.ioWrite, system: ENOSPC, writing: "full", committing: "full", checkpointing: "full", reading: "failed"),
        Case(
            code: SQLFault.ioWrite, system: EDQUOT, writing: "full", committing: "full", checkpointing: "full", reading: "failed"),
        Case(
            code: SQLFault.ioWrite, system: EIO, writing: "failed", committing: "fatal", checkpointing: "failed",
            reading: "failed"),
        // A file system that became read-only refuses the frame, as a full one does.
        Case(
            code: SQLFault.ioWrite, system: EROFS, writing: "readOnly", committing: "readOnly", checkpointing: "readOnly",
            reading: "failed"),
        Case(
            code: ioSharedMemorySize, system: EROFS, writing: "readOnly", committing: "fatal",
            checkpointing: "readOnly", reading: "failed"),
        // The frames are already synced when the WAL index fails to grow.
        Case(
            code: ioSharedMemorySize, system: ENOSPC, writing: "full", committing: "fatal", checkpointing: "full",
            reading: "failed"),
        Case(
            code: SQLFault.ioFsync, system: EIO, writing: "fatal", committing: "fatal", checkpointing: "fatal", reading: "fatal"),
        Case(
            code: SQLFault.ioFsync, system: ENOSPC, writing: "fatal", committing: "fatal", checkpointing: "fatal",
            reading: "fatal"),
        Case(code: SQLFault.ioDirectoryFsync, writing: "fatal", committing: "fatal", checkpointing: "fatal", reading: "fatal"),
        Case(code: SQLITE_READONLY, writing: "readOnly", committing: "readOnly", checkpointing: "readOnly", reading: "failed"),
        Case(code: SQLITE_BUSY, writing: "failed", committing: "failed", checkpointing: "failed", reading: "failed"),
        Case(code: SQLITE_NOMEM, writing: "failed", committing: "fatal", checkpointing: "failed", reading: "failed"),
        Case(code: SQLITE_CORRUPT, writing: "fatal", committing: "fatal", checkpointing: "fatal", reading: "fatal"),
        Case(code: SQLITE_NOTADB, writing: "fatal", committing: "fatal", checkpointing: "fatal", reading: "fatal"),
    ]

    @Test(arguments: cases)
    func sqliteErrors_areClassifiedByMoment(_ fault: Case) {
        let error = SQLFault(code: fault.code, systemError: fault.system, message: "m")
        #expect(kind(error.journalError(at: .writing, path: "p")) == fault.writing)
        #expect(kind(error.journalError(at: .committing, path: "p")) == fault.committing)
        #expect(kind(error.journalError(at: .checkpointing, path: "p")) == fault.checkpointing)
        #expect(kind(error.journalError(at: .reading, path: "p")) == fault.reading)
    }

    private func kind(_ error: JournalError) -> String {
        switch error {
        case .full: "full"
        case .readOnly: "readOnly"
        case .failed: "failed"
        case .fatal: "fatal"
        }
    }
}
