/// The media type of a file, which follows from the ending of its name. The bytes have no say, so that a content is the
/// same on all machines whatever its name.
package enum FileType {
    /// The type of a file with an unknown ending, or without a name.
    package static let unknown = "application/octet-stream"

    /// - Complexity: O(length of the name).
    package static func of(_ name: NoteName?) -> String {
        guard let name else { return unknown }
        let utf8 = name.bytes.utf8
        guard let dot = utf8.lastIndex(of: UInt8(ascii: ".")), !utf8[dot...].contains(UInt8(ascii: "/")) else { return unknown }
        return types[utf8[(dot + 1)...].map(asciiLowercased)] ?? unknown
    }

    /// Each ending, followed by its type.
    private static let words = """
        png image/png jpg image/jpeg jpeg image/jpeg gif image/gif webp image/webp avif image/avif bmp image/bmp
        svg image/svg+xml tif image/tiff tiff image/tiff ico image/vnd.microsoft.icon heic image/heic
        mp3 audio/mpeg wav audio/wav m4a audio/mp4 ogg audio/ogg oga audio/ogg opus audio/ogg flac audio/flac aac audio/aac
        3gp video/3gpp mp4 video/mp4 webm video/webm ogv video/ogg mov video/quicktime mkv video/matroska avi video/x-msvideo
        pdf application/pdf epub application/epub+zip canvas application/json base application/yaml
        excalidraw application/json json application/json zip application/zip gz application/gzip tar application/x-tar
        csv text/csv txt text/plain html text/html htm text/html css text/css xml application/xml
        docx application/vnd.openxmlformats-officedocument.wordprocessingml.document
        xlsx application/vnd.openxmlformats-officedocument.spreadsheetml.sheet
        pptx application/vnd.openxmlformats-officedocument.presentationml.presentation
        odt application/vnd.oasis.opendocument.text ods application/vnd.oasis.opendocument.spreadsheet
        """

    private static let types: [[UInt8]: String] = {
        let list = words.split { $0 == " " || $0.isNewline }
        var types: [[UInt8]: String] = [:]
        for index in stride(from: 0, to: list.count, by: 2) { types[Array(list[index].utf8)] = String(list[index + 1]) }
        return types
    }()
}
