package dev.dormouse.internal.engine.run;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.History;
import dev.dormouse.internal.history.Message;
import dev.dormouse.internal.history.MessageCodec;
import dev.dormouse.internal.history.Origin;
import dev.dormouse.internal.run.Evicted;
import dev.dormouse.store.run.Append;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.Fence;
import dev.dormouse.store.run.InboxMessage;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.Outgoing;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.RunTransition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The log of one activation: what the run has committed, and the fresh events that its code has seen but no commit
 * holds yet.
 *
 * <p>Fresh events can be dropped, because nothing outside the run depends on them before they are committed.
 *
 * <p><b>Threads.</b> Confined to the run's thread. {@link #lease}, {@link #leases}, {@link #mayBeUnder},
 * {@link #renewable}, {@link #isWriting}, {@link #seal} and {@link #commitNothing} may be called by any thread. They
 * read volatile snapshots of the committed state. If the run commits meanwhile, the commit that they were used for is
 * fenced.
 */
public final class RunLog {
    private static final int EVENT_BYTES = 100;
    private static final int LARGE_BYTES = 1 << 20;
    private static final int LARGE_OUTBOX = 1_000;

    private final RunRow row;
    private final String epoch;
    private final List<Event> fresh = new ArrayList<>();
    private final List<Outgoing> outbox = new ArrayList<>();
    private final ParentAndChildren parentAndChildren;
    private final AtomicReference<Writing> writing = new AtomicReference<>(Writing.FREE);
    private volatile Committed committed;
    private boolean countsTakeovers;
    private volatile long leaseBefore;
    private volatile long leaseNext;
    private long consumed;
    private int freshBytes;
    private boolean onlyResults = true;
    private Instant lastAt;
    private Instant lastCommittedAt;
    private Instant notBefore = Instant.EPOCH;

    /** What this node has committed. The run's row has the same, except for what was appended. */
    private record Committed(long lease, RunStatus status, int nextSeq, long checksum, long consumed) {}

    /** The state of the writes of a log: one at a time, and none after the log was sealed. */
    private enum Writing {
        FREE,
        UNDERWAY,
        SEALED
    }

    /**
     * @param epoch the store's epoch when the run was read
     * @param known the committed events
     */
    RunLog(RunRow row, String epoch, History known, long consumed) {
        this.row = row;
        this.parentAndChildren = new ParentAndChildren(row, known.events());
        this.epoch = epoch;
        this.committed = new Committed(row.lease(), row.status(), known.size(), known.checksum(), consumed);
        this.countsTakeovers = row.takeovers() > 0 || row.strikes() > 0;
        this.leaseBefore = row.lease();
        this.leaseNext = row.lease();
        this.consumed = consumed;
        this.lastAt = lastAt(known.events().get(known.size() - 1));
        this.lastCommittedAt = lastAt;
    }

    long lease() {
        return committed.lease;
    }

    /** Returns the current lease and the previous one, which is valid if the store has lost the last change. */
    Set<Long> leases() {
        return new HashSet<>(List.of(leaseBefore, committed.lease));
    }

    /** Returns true if the run is under this lease, or comes under it by a commit that may be on its way. */
    boolean mayBeUnder(long lease) {
        return lease == committed.lease || lease == leaseNext;
    }

    /** Returns the lease while the run executes under it; {@link RunRow#NO_LEASE} while it is parked. */
    long renewable() {
        Committed now = committed;
        return now.status == RunStatus.RUNNING ? now.lease : RunRow.NO_LEASE;
    }

    long consumed() {
        return consumed;
    }

    boolean hasFresh() {
        return !fresh.isEmpty();
    }

    /** Returns the number of events in the history, uncommitted ones included. */
    int size() {
        return committed.nextSeq + fresh.size();
    }

    /** Returns true if all fresh events are step results, or have no effect outside the run. */
    boolean hasOnlyResults() {
        return onlyResults;
    }

    /** Returns true if a fresh event records that a deadline has passed. */
    boolean hasDeadline() {
        return !notBefore.equals(Instant.EPOCH);
    }

    /** Returns the latest deadline that fresh events record as passed; {@link Instant#EPOCH} if there is none. */
    Instant notBefore() {
        return notBefore;
    }

    /** Returns the time for an event that happens now. Time never runs backwards within a run. */
    Instant stamp(Instant now) {
        return now.isAfter(lastAt) ? now : lastAt;
    }

    /** Returns when the last part of the event happened. A message happens when it is accepted. */
    static Instant lastAt(Event event) {
        Instant last = event.at();
        if (event instanceof Event.MailReceived received) {
            for (InboxMessage item : received.items()) {
                last = item.acceptedAt().isAfter(last) ? item.acceptedAt() : last;
            }
        }
        return last;
    }

    void add(Event event) {
        fresh.add(event);
        lastAt = lastAt(event);
        parentAndChildren.note(event);
        if (event instanceof Event.StepCompleted completed) {
            freshBytes += completed.result().bytes().length + EVENT_BYTES;
        }
        onlyResults &= isResult(event);
        if (event instanceof Event.ChildRequested child) {
            send(outgoing(child));
        } else if (event instanceof Event.MailSent sent) {
            send(outgoing(sent.id(), sent.workflowId(), sent.message()));
        }
    }

    private void send(Outgoing item) {
        outbox.add(item);
        freshBytes += 2 * (item.payload().length + EVENT_BYTES);
    }

    /** Returns true if the fresh events already make a large commit, which should be sent before more are added. */
    boolean isLarge() {
        return freshBytes >= LARGE_BYTES || outbox.size() >= LARGE_OUTBOX;
    }

    private Outgoing outgoing(Event.ChildRequested child) {
        Origin.Parent parent = new Origin.Parent(row.workflowId(), row.runId(), child.call());
        Message start = new Message.StartRun(
                child.runId(),
                child.type(),
                child.input(),
                null,
                Map.of(),
                Origin.childOf(parent).with(child.queued()),
                child.start());
        return outgoing(child.runId(), child.workflowId(), start);
    }

    public static Outgoing outgoing(UUID id, String workflowId, Message message) {
        return new Outgoing(id, workflowId, message.kind(), MessageCodec.encode(message));
    }

    /** Adds a message, to the last fresh event if that records messages too. */
    Event add(InboxMessage item) {
        Instant at = item.acceptedAt().isAfter(lastAt) ? item.acceptedAt() : lastAt;
        Event.MailReceived event = new Event.MailReceived(at, List.of(item));
        int last = fresh.size() - 1;
        if (last >= 0 && fresh.get(last) instanceof Event.MailReceived before) {
            List<InboxMessage> items = new ArrayList<>(before.items());
            items.add(item);
            fresh.set(last, new Event.MailReceived(before.at(), items));
            lastAt = at;
            parentAndChildren.note(event);
        } else {
            add(event);
        }
        consumed = item.position();
        freshBytes += item.payload().length + EVENT_BYTES;
        return event;
    }

    /** Returns the approximate size of uncommitted messages, results and outbox items. */
    int freshBytes() {
        return freshBytes;
    }

    List<Event> fresh() {
        return fresh;
    }

    /**
     * Returns the fresh results before the first other event. Empty if a single result is the only fresh event: there
     * is no other to save.
     */
    List<Event> results() {
        List<Event> results = new ArrayList<>();
        for (Event event : fresh) {
            if (!isResult(event)) {
                return results;
            }
            results.add(event);
        }
        return results.size() == 1 ? List.of() : results;
    }

    private static boolean isResult(Event event) {
        return event instanceof Event.StepCompleted || event instanceof Event.VersionMarked;
    }

    /** Adds an event which records that {@code deadline} has passed. */
    void add(Event event, Instant deadline) {
        add(event);
        onlyResults = false;
        notBefore = deadline.isAfter(notBefore) ? deadline : notBefore;
    }

    /** Returns a commit of all fresh events, fenced on the mail counter unless {@code mail} is null. */
    Commit commit(NextState next, @Nullable Long mail) {
        return commit(next, mail, outbox);
    }

    /**
     * Returns a commit of all fresh events that closes the run. Adds the outbox items for its parent and children,
     * and {@code more}. The event {@code closing} must be among the fresh events.
     */
    Commit close(NextState next, @Nullable Long mail, Event closing, List<Outgoing> more) {
        List<Outgoing> out = new ArrayList<>(outbox);
        out.addAll(parentAndChildren.finalMessages(closing));
        out.addAll(more);
        return commit(next, mail, out);
    }

    private Commit commit(NextState next, @Nullable Long mail, List<Outgoing> out) {
        RunTransition.check(committed.status, next.status());
        leaseNext = next.lease();
        Fence fence =
                Fence.of(committed.lease, committed.nextSeq).inEpoch(epoch).notBefore(notBefore);
        return new Commit(
                row.runId(),
                mail == null ? fence : fence.withMail(mail),
                append(),
                consumed,
                next,
                List.copyOf(out),
                true);
    }

    /** Returns a commit that changes only the run's state and leaves fresh events out. */
    Commit commitNothing(NextState next) {
        Committed now = committed;
        if (now.lease != RunRow.NO_LEASE) { // otherwise the run was given up before, and the commit is not sent
            RunTransition.check(now.status, next.status());
        }
        Fence fence = Fence.of(now.lease, now.nextSeq).inEpoch(epoch);
        return new Commit(row.runId(), fence, Append.nothing(now.checksum), now.consumed, next, List.of());
    }

    /**
     * Returns true if a commit of this log only adds events, so that an append of its history row has the same effect.
     * The run must be RUNNING and stay so, under the same lease and alarm, send no message, and record no deadline. Its
     * row must not count takeovers, because events reset the counters. The row then does not say which messages were
     * consumed; the history does.
     */
    boolean isAppend(Commit commit) {
        Fence fence = commit.fence();
        return commit.append().count() > 0
                && committed.status == RunStatus.RUNNING
                && !countsTakeovers
                && commit.next().equals(NextState.running(committed.lease))
                && fence.lease() == committed.lease
                && fence.mail() == Fence.ANY_MAIL
                && fence.notBefore().equals(Instant.EPOCH)
                && commit.outbox().isEmpty();
    }

    // ---- one write at a time

    /**
     * Begins a write. Its outcome must be known before the next one begins.
     *
     * @throws Evicted if the log is sealed
     */
    void beginWrite() {
        if (!tryBeginWrite()) {
            throw new Evicted();
        }
    }

    /** Begins a write. Returns false if the log is sealed. */
    boolean tryBeginWrite() {
        return writing.compareAndSet(Writing.FREE, Writing.UNDERWAY);
    }

    /** Ends a write. Its outcome is known, or will never be known because the node closes. */
    void endWrite() {
        writing.compareAndSet(Writing.UNDERWAY, Writing.FREE);
    }

    /** Returns true while a write is on its way. */
    boolean isWriting() {
        return writing.get() == Writing.UNDERWAY;
    }

    /**
     * Prevents all further writes, so that another thread can release the lease. Returns false if a write is on its way.
     */
    boolean seal() {
        return writing.compareAndSet(Writing.FREE, Writing.SEALED) || writing.get() == Writing.SEALED;
    }

    /** Marks the fresh events as committed by {@code commit} and returns them. */
    List<Event> applied(Commit commit) {
        List<Event> done = List.copyOf(fresh);
        lastCommittedAt = lastAt;
        clear();
        countsTakeovers &= commit.append().count() == 0 || !commit.next().isProgress();
        leaseBefore = commit.next().lease() == committed.lease ? leaseBefore : committed.lease;
        committed = new Committed(
                commit.next().lease(),
                commit.next().status(),
                committed.nextSeq + commit.append().count(),
                commit.append().checksum(),
                consumed);
        return done;
    }

    /** Drops all fresh events. Nothing outside the run depends on them. */
    void forget() {
        clear();
        consumed = committed.consumed;
        lastAt = lastCommittedAt;
    }

    private void clear() {
        fresh.clear();
        outbox.clear();
        freshBytes = 0;
        onlyResults = true;
        notBefore = Instant.EPOCH;
    }

    /**
     * Removes the last fresh messages, and the beginning of the run, if no other event follows them. The messages
     * stay in the inbox.
     */
    void giveMessagesBack() {
        int last = fresh.size();
        while (last > 0 && isMessageOrBeginning(fresh.get(last - 1))) {
            last--;
        }
        removeLast(fresh.size() - last);
        consumed = committed.consumed;
        for (Event event : fresh) {
            if (event instanceof Event.MailReceived received) {
                consumed = received.items().get(received.items().size() - 1).position();
            }
        }
    }

    private static boolean isMessageOrBeginning(Event event) {
        return event instanceof Event.MailReceived || event instanceof Event.RunBegan;
    }

    /** Removes the last {@code number} fresh events. */
    void removeLast(int number) {
        fresh.subList(fresh.size() - number, fresh.size()).clear();
        lastAt = fresh.isEmpty() ? lastCommittedAt : lastAt(fresh.get(fresh.size() - 1));
    }

    /** Removes the last fresh event, which records a passed deadline. Restores {@link #notBefore} to {@code before}. */
    void removeLast(Instant before) {
        removeLast(1);
        notBefore = before;
    }

    private Append append() {
        return new History.End(committed.nextSeq, committed.checksum).append(fresh);
    }
}
