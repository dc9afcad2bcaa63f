// TextMergeTests
