/// Whether a process that was made to trap said the sentence, as its error output has it. A release build says none: there, that
/// it ended is all.
package func said(_ sentence: String, _ errorOutput: [UInt8]?) -> Bool {
    #if DEBUG
        errorOutput.map { String(decoding: $0, as: UTF8.self).contains(": " + sentence) } ?? false
    #else
        errorOutput != nil
    #endif
}
