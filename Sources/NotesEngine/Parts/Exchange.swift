/// The engine's state of the exchange of revisions with peers.
struct Exchange {
    var feeds = RevisionFeeds()
    var releasing = Releasing()
    var reopenings = Reopenings()
}
