/// The type of a picture by its first bytes, for programs that show it: unlike `FileType`, it does not depend on a name.
package enum PictureType: String, CaseIterable, Sendable {
    case png = "image/png"
    case jpeg = "image/jpeg"
    case gif = "image/gif"
    case webp = "image/webp"

    /// The number of bytes that `init(beginning:)` looks at.
    package static let bytesMax = 12

    /// The type of a picture that begins with these bytes; nil for everything else.
    package init?(beginning: some Collection<UInt8>) {
        let first = Array(beginning.prefix(Self.bytesMax))
        if first.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if first.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if first.starts(with: Array("GIF87a".utf8)) || first.starts(with: Array("GIF89a".utf8)) {
            self = .gif
        } else if first.starts(with: Array("RIFF".utf8)), first.dropFirst(8).elementsEqual("WEBP".utf8) {
            self = .webp
        } else {
            return nil
        }
    }
}
