package import NoteText
import NotesModel

extension FileFolder: FileContents {
    package func bytes(of hash: FileHash, in range: Range<Int>) throws -> [UInt8] {
        do throws(FileFault) {
            return try read(hash, from: range.lowerBound, count: range.count)
        } catch .missing {
            throw FileContentsFault.missing
        }
    }
}
