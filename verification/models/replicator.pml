/*
 * Two stores in step: the two flows of the replicator, and the feed of revisions of each daemon. A
 * daemon sends a page; the replicator offers it to the other daemon, waits for the durable answer
 * and acknowledges the page. Connections are cut, daemons are killed, and a store is put back.
 *
 * README.md maps each part to its file and function. A macro FAULT_x plants a fault;
 * `scripts/models` checks that each is found.
 *
 * A set of revisions is a number with a bit for each. A page has one revision. Flow s goes from
 * store s to the other store, and feed s is that of the daemon of store s.
 */

#ifndef WRITES
#define WRITES 2
#endif
#ifndef WINDOW
#define WINDOW 1      /* FeedWindow.pagesMax */
#endif
#ifndef CUTS
#define CUTS 1        /* connections cut while both daemons run */
#endif
#ifndef KILLS
#define KILLS 0       /* daemons killed, or power cuts */
#endif
#ifndef RESTORES
#define RESTORES 0    /* stores put back to a copy of themselves; at most 1 */
#endif
#ifndef STRAYS
#define STRAYS 0      /* revisions that a third store offers, in any order */
#endif
#ifndef POISON
#define POISON 0      /* 1: store 1 does not accept revision 0 of store 0 */
#endif
#define bit(x) (1 << (x))
#define other(s) (1 - (s))

/* Revisions. */
byte made;
byte pastOf[WRITES];     /* the revisions that its writer had seen */
byte writtenAt[WRITES];  /* its first store */

/* Stores: the content of their disks. */
typedef Log { byte at[WRITES + 1]; };
Log log[2];              /* the revisions in the order of their commits */
byte newest[2];
byte committed[2];       /* the same revisions as a set */
byte waiting[2];
byte quarantined[2];
byte record[2];          /* what the peer holds, as written down */

/* The memory of their daemons. */
byte writing[2];         /* written and not synced */
bool offered[2];         /* whether the replicator waits for that sync */
byte runs[2];            /* the number of runs that ended */

/* `RevisionFeed`. */
bool fed[2];
byte skipped[2], place[2], held[2], unacknowledged[2];
/* The feed of a connection that was cut, if it has something to record, until the daemon ends it. */
bool left[2];
byte leftHeld[2], leftRun[2];

/* The replicator. */
#define ASKS 0
#define WATCHES 1
#define READS 2
#define OFFERS 3
#define WAITS 4
#define ACKNOWLEDGES 5
bool up;
byte stage[2];
byte known[2];           /* what the destination of a flow holds */
byte refuses[2];
byte carried[2];         /* the revision of the page that it offers */
bool lacks[2];           /* whether the destination did not make it part of its notes */
chan page[2] = [WINDOW + 1] of { byte };

/* The knowledge of the judge. */
byte durable;            /* the revisions that some store committed */
byte heldAtStart[2];     /* what the destination of a flow held when the connections began */
byte cameFromPeer[2];    /* what was offered on the connection of a feed since the feed began */
bool isPutBack[2];       /* whether the peer was put back and has not stated its revisions since */

byte cuts, kills, restores, strays;
#if RESTORES > 0
bool isCopied;
byte copiedStore, copiedNewest, copiedSet, copiedWaiting, copiedQuarantined, copiedRecord;
Log copiedLog;
#endif

/* Each is true while its rule holds. */
bool R_committed_once = true;
bool R_past_is_whole = true;
bool R_window_is_kept = true;
bool R_not_sent_back = true;
bool R_held_is_not_sent = true;
bool R_record_is_held = true;

hidden byte i, j, x;

/* Neither a record nor a live feed claims a revision that the peer does not hold durably. */
inline judge() {
    i = 0;
    do
    :: i < 2 ->
        R_record_is_held = isPutBack[i] || ((record[i] | held[i]) & ~committed[other(i)]) == 0; assert(R_record_is_held);
        i++
    :: else -> break
    od;
    i = 0
}

/* MARK: Stores */

/* `Engine.append`: a revision is written; `sync` commits it. */
inline write(s, r) {
    R_committed_once = !(committed[s] & bit(r)); assert(R_committed_once);
    R_past_is_whole = ((pastOf[r] & ~committed[s]) == 0); assert(R_past_is_whole);
    log[s].at[newest[s]] = r; writing[s] = bit(r)
}

inline sync(s) {
    committed[s] = committed[s] | writing[s]; durable = durable | writing[s];
    waiting[s] = waiting[s] & ~writing[s];
    writing[s] = 0; offered[s] = false;
    newest[s]++
}

#if POISON
#define isUnfit(s, r) ((s) == 1 && (r) == 0 && writtenAt[0] == 0)
#else
#define isUnfit(s, r) false
#endif

/* Whether a revision need not wait any more. */
#define isReady(s, r) ((waiting[s] & bit(r)) && (pastOf[r] & ~committed[s]) == 0)

/* `Adoption.decide`, `Engine.commit(_:)`. The holding area is durable at once. */
inline adopt(s, r) {
    if
#ifndef FAULT_DOT_IS_NOT_LOOKED_UP
    :: committed[s] & bit(r) -> skip
#endif
    :: else ->
        if
        :: isUnfit(s, r) -> quarantined[s] = quarantined[s] | bit(r)
        :: !isUnfit(s, r) && (pastOf[r] & ~committed[s]) -> waiting[s] = waiting[s] | bit(r)
        :: else -> write(s, r)
        fi
    fi
}

/* MARK: Feeds */

/* `Engine.feed`, `RevisionFeed.init`. */
inline beginFeed(s) {
    fed[s] = true;
    skipped[s] = known[s] | refuses[s];
#ifdef FAULT_REFUSED_IS_RECORDED
    held[s] = known[s] | refuses[s];
#else
    held[s] = known[s];
#endif
    if
    :: (committed[s] & ~skipped[s]) == 0 -> place[s] = newest[s]
#ifdef FAULT_BEGINS_AT_THE_NEWEST
    :: else -> place[s] = newest[s]
#else
    :: else -> skip
#endif
    fi;
#ifndef FAULT_EARLIER_RUN_IS_RECORDED
    if
    :: left[s] && leftRun[s] != runs[other(s)] -> forgetLeft(s)
    :: else -> skip
    fi;
#endif
    isPutBack[s] = false;
    record[s] = held[s]
}

inline forgetLeft(s) {
    left[s] = false; leftHeld[s] = 0; leftRun[s] = 0
}

/* `RevisionFeed.receive`. */
inline receive(s, r) {
    if
    :: fed[s] ->
        cameFromPeer[s] = cameFromPeer[s] | bit(r);
#ifndef FAULT_RECEIVED_IS_SENT_BACK
        skipped[s] = skipped[s] | bit(r);
#endif
        held[s] = held[s] | bit(r)
    :: else -> skip
    fi
}

#ifdef FAULT_WINDOW_IS_OFF_BY_ONE
#define hasRoom(s) (unacknowledged[s] <= WINDOW)
#else
#define hasRoom(s) (unacknowledged[s] < WINDOW)
#endif
#ifdef FAULT_PAGE_BEFORE_SYNC
#define newestSent(s) (newest[s] + (writing[s] != 0))
#else
#define newestSent(s) newest[s]
#endif

/* `Engine.feedPage`, `RevisionFeed.take`. */
inline sendPage(s) {
    do
    :: place[s] < newestSent(s) && (skipped[s] & bit(log[s].at[place[s]])) -> place[s]++
    :: else -> break
    od;
    if
    :: place[s] < newestSent(s) ->
        x = log[s].at[place[s]];
        place[s]++; unacknowledged[s]++;
        page[s]!x;
        R_not_sent_back = !(cameFromPeer[s] & bit(x)); assert(R_not_sent_back);
        R_held_is_not_sent = !(heldAtStart[s] & bit(x)); assert(R_held_is_not_sent);
        /* The pages in transit, and the page that the replicator carries. */
        R_window_is_kept = (len(page[s]) + (stage[s] >= OFFERS) <= WINDOW); assert(R_window_is_kept);
#ifdef FAULT_SENT_IS_RECORDED
        held[s] = held[s] | bit(x);
#endif
        x = 0
    :: else -> skip
    fi
}

proctype Daemon(byte s)
{
    byte r;
endIdle:
    do
    /* A write of a client. */
    :: atomic { made < WRITES && writing[s] == 0 ->
        d_step { writtenAt[made] = s; pastOf[made] = committed[s]; made++ };
        if
        :: skip
        :: committed[s] != 0 -> pastOf[made - 1] = 0 /* a new note */
        fi;
        d_step { write(s, (made - 1)); skip } }
    :: d_step { writing[s] != 0 -> sync(s); skip }
    /* `Engine.releaseSome`, and the children of a commit. */
    :: atomic { writing[s] == 0 && waiting[s] != 0 && (isReady(s, 0) || isReady(s, 1) || isReady(s, WRITES - 1)) ->
        d_step {
            r = 0;
            do
            :: !isReady(s, r) -> r++
            :: else -> break
            od;
            write(s, r); r = 0
        } }
    :: d_step { fed[s] && place[s] < newestSent(s) && hasRoom(s) -> sendPage(s); judge(); skip }
    /* `Engine.recordFeeds`, and `Engine.endFeed` when it notices that a connection ended. */
    :: d_step { fed[s] && record[s] != held[s] -> record[s] = held[s]; judge(); skip }
    :: d_step { left[s] -> record[s] = leftHeld[s]; forgetLeft(s); judge(); skip }
    od
}

/* MARK: The replicator */

/* `RevisionFlow.run`. A request and its answer are one step where neither changes anything else. */
proctype Flow(byte s)
{
endIdle:
    do
    :: d_step { s == 0 && !up -> up = true; heldAtStart[0] = committed[1]; heldAtStart[1] = committed[0] }
    :: d_step { up && stage[s] == ASKS ->
#ifdef FAULT_KNOWN_IS_KEPT
        known[s] = (known[s] == 0 -> committed[other(s)] : known[s]);
#else
        known[s] = committed[other(s)];
#endif
#ifdef FAULT_WAITING_IS_KNOWN
        known[s] = known[s] | waiting[other(s)];
#endif
        refuses[s] = quarantined[other(s)];
        stage[s] = WATCHES }
    :: d_step { stage[s] == WATCHES ->
        beginFeed(s);
#ifndef FAULT_KNOWN_IS_KEPT
        known[s] = 0;
#endif
        refuses[s] = 0; stage[s] = READS; judge(); skip }
    :: d_step { stage[s] == READS && nempty(page[s]) ->
        page[s]?carried[s];
#ifdef FAULT_PROCEED_BEFORE_ANSWER
        held[s] = held[s] | bit(carried[s]);
#endif
        stage[s] = OFFERS; judge(); skip }
    :: d_step { stage[s] == OFFERS && writing[other(s)] == 0 ->
        adopt(other(s), carried[s]);
        receive(other(s), carried[s]);
#ifndef FAULT_ANSWER_BEFORE_SYNC
        offered[other(s)] = (writing[other(s)] != 0);
#endif
#ifdef FAULT_LACKING_IS_NOT_NAMED
        lacks[s] = false;
#else
        lacks[s] = ((waiting[other(s)] | quarantined[other(s)]) & bit(carried[s])) && writing[other(s)] == 0;
#endif
        stage[s] = WAITS; judge(); skip }
    :: d_step { stage[s] == WAITS && !offered[other(s)] -> stage[s] = ACKNOWLEDGES }
    :: d_step { stage[s] == ACKNOWLEDGES ->
#ifdef FAULT_LACKING_IS_NOT_ACKNOWLEDGED
        if
        :: lacks[s] -> skip
        :: else -> unacknowledged[s]--
        fi;
#else
        unacknowledged[s]--;
#endif
        if
        :: lacks[s] -> skip
        :: else -> held[s] = held[s] | bit(carried[s])
        fi;
        carried[s] = 0; lacks[s] = false; stage[s] = READS; judge(); skip }
    od
}

/* MARK: Failures */

/* Both connections end. Each daemon may notice later, and an acknowledgement in transit may arrive. */
inline cut() {
    up = false; i = 0;
    do
    :: i < 2 ->
        if
        :: fed[i] ->
            if
            :: stage[i] == ACKNOWLEDGES && !lacks[i] -> held[i] = held[i] | bit(carried[i])
            :: else -> skip
            fi;
            if
            :: held[i] != record[i] -> left[i] = true; leftHeld[i] = held[i]; leftRun[i] = runs[other(i)]
            :: else -> skip
            fi
        :: else -> skip
        fi;
        fed[i] = false; skipped[i] = 0; held[i] = 0; unacknowledged[i] = 0;
#ifndef FAULT_PLACE_IS_KEPT
        place[i] = 0;
#endif
        stage[i] = ASKS; refuses[i] = 0; carried[i] = 0; lacks[i] = false; offered[i] = false;
#ifndef FAULT_KNOWN_IS_KEPT
        known[i] = 0;
#endif
        do
        :: len(page[i]) > 0 -> page[i]?_
        :: else -> break
        od;
        heldAtStart[i] = 0; cameFromPeer[i] = 0;
        i++
    :: else -> break
    od;
    i = 0
}

/* The daemon of a store is gone, and its memory with it; it starts again. */
inline begin(s) {
    cut();
    forgetLeft(s);
    if
    :: writing[s] != 0 -> log[s].at[newest[s]] = 0; writing[s] = 0
    :: else -> skip
    fi;
    runs[s]++
}

/* It may stop doing so at any time. */
active proctype Fate()
{
    byte s, r;
    do
    :: d_step { up && cuts < CUTS -> cuts++; cut(); skip }
    :: atomic { kills < KILLS -> kills++; select (s : 0 .. 1);
        if
        :: writing[s] != 0 -> sync(s) /* the kernel keeps what was written */
        :: skip
        fi;
        d_step { begin(s); s = 0; judge(); skip } }
#if RESTORES > 0
    :: atomic { !isCopied -> isCopied = true; select (s : 0 .. 1);
        d_step {
            copiedStore = s; copiedNewest = newest[s]; copiedSet = committed[s];
            copiedWaiting = waiting[s]; copiedQuarantined = quarantined[s]; copiedRecord = record[s];
            j = 0;
            do
            :: j < newest[s] -> copiedLog.at[j] = log[s].at[j]; j++
            :: else -> break
            od;
            j = 0; s = 0
        } }
    :: d_step { isCopied && restores < RESTORES -> restores++;
        s = copiedStore;
        begin(s);
        newest[s] = copiedNewest; committed[s] = copiedSet;
        waiting[s] = copiedWaiting; quarantined[s] = copiedQuarantined; record[s] = copiedRecord;
        j = 0;
        do
        :: j < WRITES -> log[s].at[j] = copiedLog.at[j]; copiedLog.at[j] = 0; j++
        :: else -> break
        od;
        j = 0;
        copiedStore = 0; copiedNewest = 0; copiedSet = 0; copiedWaiting = 0; copiedQuarantined = 0; copiedRecord = 0;
        isPutBack[other(s)] = true; s = 0;
        judge(); skip }
#endif
    :: atomic { strays < STRAYS && durable != 0 -> strays++; select (s : 0 .. 1); select (r : 0 .. WRITES - 1);
        if
        :: d_step { (durable & bit(r)) && writing[s] == 0 -> adopt(s, r); judge(); skip }
        :: else -> skip
        fi;
        s = 0; r = 0 }
    :: break
    od
}

#ifdef LIVE
/* Time passes when nothing else happens, so a quiescent state is a cycle, too. */
hidden byte tick;
active proctype Clock()
{
    do
    :: tick = 0
    od
}
#endif

init {
    atomic { run Daemon(0); run Daemon(1); run Flow(0); run Flow(1) }
}

/* In the end both stores hold the same revisions, except those that one does not accept and those
 * that build on them, and no revision waits needlessly. */
#define isApart(r) (isUnfit(1, 0) && made > 0 && ((r) == 0 || (pastOf[r] & 1)))
#define isSame(r) (isApart(r) || (committed[0] & bit(r)) == (committed[1] & bit(r)))
#define isCalm(s) (writing[s] == 0 && !isReady(s, 0) && !isReady(s, 1) && !isReady(s, WRITES - 1))
ltl G8 { <>[] (isSame(0) && isSame(1) && isSame(WRITES - 1) && isCalm(0) && isCalm(1)) }
