package dev.dormouse.internal.engine.run;

import dev.dormouse.internal.history.Checksum;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.EventCodec;
import dev.dormouse.internal.history.Message;
import dev.dormouse.internal.history.MessageCodec;
import dev.dormouse.internal.history.Origin;
import dev.dormouse.store.run.Append;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.Fence;
import dev.dormouse.store.run.InboxMessage;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.Outgoing;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.RunStatus;
import dev.dormouse.store.run.RunTransition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a run has committed, and the events that the code has seen but no commit holds yet. Confined to the run's thread,
 * but for {@link #commitNothing}, which another may call while that thread executes a step.
 */
public final class RunLog {
    private static final int EVENT_BYTES = 100;
    private static final int LARGE_BYTES = 1 << 20;
    private static final int LARGE_OUTBOX = 1_000;

    private final RunRow row;
    private final String epoch;
    private final List<Event> fresh = new ArrayList<>();
    private Event.@Nullable TakenOver note;
    private final List<Outgoing> outbox = new ArrayList<>();
    private final ParentAndChildren kin;
    private volatile Committed committed;
    private volatile long leaseBefore;
    private long consumed;
    private int freshBytes;
    private boolean onlyResults = true;
    private Instant lastAt;
    private Instant lastCommittedAt;
    private Instant notBefore = Instant.EPOCH;

    /** What the run's row says, as far as this node has changed it. */
    private record Committed(long lease, RunStatus status, int nextSeq, long checksum, long consumed) {}

    /** @param epoch the store's when the run was read */
    RunLog(RunRow row, String epoch, List<Event> recorded, long consumed) {
        this.row = row;
        this.kin = new ParentAndChildren(row, recorded);
        this.epoch = epoch;
        this.committed = new Committed(row.lease(), row.status(), row.nextSeq(), row.checksum(), consumed);
        this.leaseBefore = row.lease();
        this.consumed = consumed;
        this.lastAt = lastAt(recorded.get(recorded.size() - 1));
        this.lastCommittedAt = lastAt;
    }

    /**
     * The run was taken over. That goes along with the first event that is committed, and is no reason for a commit: one
     * that adds events says that the run makes progress, which this is not.
     */
    void takenOver(String from, String by, long claim, Instant lostAt, Instant takenAt) {
        note = new Event.TakenOver(lastAt, from, by, claim, lostAt, takenAt);
    }

    long lease() {
        return committed.lease;
    }

    /** The lease and the one before it, under which the run is if the store has lost the last change. */
    Set<Long> leases() {
        return new HashSet<>(List.of(leaseBefore, committed.lease));
    }

    /** The lease, while the run executes under it; {@link RunRow#NO_LEASE} while it is parked. */
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

    /** How many events the history has, with those that are not committed yet. */
    int size() {
        return committed.nextSeq + fresh.size() + (note == null ? 0 : 1);
    }

    /** Whether all fresh events are results of steps, or of no consequence outside. */
    boolean hasOnlyResults() {
        return onlyResults;
    }

    /** Whether a fresh event says that a deadline has passed. */
    boolean hasDeadline() {
        return !notBefore.equals(Instant.EPOCH);
    }

    /** The instant of a deadline that a fresh event says has passed; {@link Instant#EPOCH} when there is none. */
    Instant notBefore() {
        return notBefore;
    }

    /** A stamp for an event that happens now: time never runs backwards within a run. */
    Instant stamp(Instant now) {
        return now.isAfter(lastAt) ? now : lastAt;
    }

    /** When the last thing happened that an event tells of: mail happens when it is accepted. */
    private static Instant lastAt(Event event) {
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
        kin.note(event);
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

    /** Whether the fresh events make a large commit already, so that it is better sent before more are added. */
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
                Origin.childOf(parent).with(child.queued()));
        return outgoing(child.runId(), child.workflowId(), start);
    }

    public static Outgoing outgoing(UUID id, String workflowId, Message message) {
        return new Outgoing(id, workflowId, message.kind(), MessageCodec.encode(message));
    }

    /** Adds an item of mail, to the event that tells of the item before it where that is the last and not committed. */
    Event add(InboxMessage item) {
        Instant at = item.acceptedAt().isAfter(lastAt) ? item.acceptedAt() : lastAt;
        Event.MailReceived event = new Event.MailReceived(at, List.of(item));
        int last = fresh.size() - 1;
        if (last >= 0 && fresh.get(last) instanceof Event.MailReceived before) {
            List<InboxMessage> items = new ArrayList<>(before.items());
            items.add(item);
            fresh.set(last, new Event.MailReceived(before.at(), items));
            lastAt = at;
            kin.note(event);
        } else {
            add(event);
        }
        consumed = item.position();
        freshBytes += item.payload().length + EVENT_BYTES;
        return event;
    }

    /** About how many bytes of mail, results and items for others wait to be committed. */
    int freshBytes() {
        return freshBytes;
    }

    List<Event> fresh() {
        return fresh;
    }

    /** The fresh results before the first event that is something else; none where there are no others to save. */
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

    /** Adds an event that says that a deadline has passed. */
    void add(Event event, Instant deadline) {
        add(event);
        onlyResults = false;
        notBefore = deadline.isAfter(notBefore) ? deadline : notBefore;
    }

    /** A commit of all fresh events, fenced on the mail counter where one is given. */
    Commit commit(NextState next, @Nullable Long mail) {
        return commit(next, mail, outbox);
    }

    /** The same with an event that closes the run, and what goes out with that. */
    Commit close(NextState next, @Nullable Long mail, Event closing, List<Outgoing> more) {
        List<Outgoing> out = new ArrayList<>(outbox);
        out.addAll(kin.farewell(closing));
        out.addAll(more);
        return commit(next, mail, out);
    }

    private Commit commit(NextState next, @Nullable Long mail, List<Outgoing> out) {
        RunTransition.check(committed.status, next.status());
        Fence fence =
                Fence.of(committed.lease, committed.nextSeq).inEpoch(epoch).notBefore(notBefore);
        return new Commit(
                row.runId(), mail == null ? fence : fence.withMail(mail), append(), consumed, next, List.copyOf(out));
    }

    /** A commit that changes nothing but the run's state, leaving fresh events out. */
    Commit commitNothing(NextState next) {
        Committed now = committed;
        if (now.lease != RunRow.NO_LEASE) { // otherwise the run was given up before, and the commit is not sent
            RunTransition.check(now.status, next.status());
        }
        Fence fence = Fence.of(now.lease, now.nextSeq).inEpoch(epoch);
        return new Commit(row.runId(), fence, Append.nothing(now.checksum), now.consumed, next, List.of());
    }

    /** Returns the events that are committed now. */
    List<Event> applied(Commit commit) {
        List<Event> done = List.copyOf(fresh);
        lastCommittedAt = lastAt;
        clear();
        note = commit.append().count() > 0 ? null : note;
        leaseBefore = commit.next().lease() == committed.lease ? leaseBefore : committed.lease;
        committed = new Committed(
                commit.next().lease(),
                commit.next().status(),
                committed.nextSeq + commit.append().count(),
                commit.append().checksum(),
                consumed);
        return done;
    }

    /** Forgets all fresh events: nothing outside rests on them. */
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

    /** Takes mail back that nothing follows but the beginning of the run. */
    void giveMailBack() {
        int last = fresh.size();
        while (last > 0 && isMailOrBeginning(fresh.get(last - 1))) {
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

    private static boolean isMailOrBeginning(Event event) {
        return event instanceof Event.MailReceived || event instanceof Event.RunBegan;
    }

    /** Takes the last fresh events back. */
    void removeLast(int number) {
        fresh.subList(fresh.size() - number, fresh.size()).clear();
        lastAt = fresh.isEmpty() ? lastCommittedAt : lastAt(fresh.get(fresh.size() - 1));
    }

    /** Takes the last fresh event back, which says that a deadline has passed; before it this was {@link #notBefore}. */
    void removeLast(Instant before) {
        removeLast(1);
        notBefore = before;
    }

    private Append append() {
        if (fresh.isEmpty()) {
            return Append.nothing(committed.checksum);
        }
        List<Event> events = fresh;
        if (note != null) {
            events = new ArrayList<>(fresh.size() + 1);
            events.add(note);
            events.addAll(fresh);
        }
        byte[] payload = EventCodec.encode(events);
        return new Append(
                events.size(), payload, Checksum.next(committed.checksum, committed.nextSeq, events.size(), payload));
    }
}
