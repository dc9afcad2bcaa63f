import Console
import Suggestions

extension Suggestions {
    /// `; did you mean …?`, or `;` alone if nothing is similar. Joins the statement of an error to
    /// the advice that follows.
    package static func joint(_ word: String, among words: some Sequence<String>) -> String {
        question(word, among: words, quote: SafeText.quoted).map { "; " + $0 } ?? ";"
    }
}
