package dev.dormouse.engine;

import dev.dormouse.history.Checksum;
import dev.dormouse.history.Event;
import dev.dormouse.history.EventCodec;
import dev.dormouse.store.Append;
import dev.dormouse.store.Commit;
import dev.dormouse.store.Fence;
import dev.dormouse.store.Mail;
import dev.dormouse.store.NextState;
import dev.dormouse.store.RunRow;
import dev.dormouse.store.RunStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a run has committed, and the events that the code has seen but no commit holds yet. Confined to the run's thread,
 * but for {@link #commitNothing}, which another may call while that thread executes a step.
 */
final class RunLog {
    private final RunRow row;
    private final String epoch;
    private final List<Event> fresh = new ArrayList<>();
    private volatile Committed committed;
    private long consumed;
    private Instant lastAt;
    private Instant notBefore = Instant.EPOCH;

    /** What the run's row says, as far as this node has changed it. */
    private record Committed(long lease, RunStatus status, int nextSeq, long checksum, long consumed) {}

    /** @param epoch the store's when the run was read */
    RunLog(RunRow row, String epoch, Instant lastAt, long consumed) {
        this.row = row;
        this.epoch = epoch;
        this.committed = new Committed(row.lease(), row.status(), row.nextSeq(), row.checksum(), consumed);
        this.consumed = consumed;
        this.lastAt = lastAt;
    }

    long lease() {
        return committed.lease;
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
        return committed.nextSeq + fresh.size();
    }

    /** The instant of a deadline that a fresh event says has passed; {@link Instant#EPOCH} when there is none. */
    Instant notBefore() {
        return notBefore;
    }

    /** A stamp for an event that happens now: time never runs backwards within a run. */
    Instant stamp(Instant now) {
        return now.isAfter(lastAt) ? now : lastAt;
    }

    void add(Event event) {
        fresh.add(event);
        lastAt = event.at();
        if (event instanceof Event.MailReceived mail) {
            List<Mail> items = mail.items();
            consumed = items.get(items.size() - 1).position();
        }
    }

    /** Adds an event that says that a deadline has passed. */
    void add(Event event, Instant deadline) {
        add(event);
        notBefore = deadline.isAfter(notBefore) ? deadline : notBefore;
    }

    /** A commit of all fresh events, fenced on the mail counter where one is given. */
    Commit commit(NextState next, @Nullable Long mail) {
        Fence fence =
                Fence.of(committed.lease, committed.nextSeq).inEpoch(epoch).notBefore(notBefore);
        return new Commit(
                row.runId(), mail == null ? fence : fence.withMail(mail), append(), consumed, next, List.of());
    }

    /** A commit that changes nothing but the run's state, leaving fresh events out. */
    Commit commitNothing(NextState next) {
        Committed now = committed;
        Fence fence = Fence.of(now.lease, now.nextSeq).inEpoch(epoch);
        return new Commit(row.runId(), fence, Append.nothing(now.checksum), now.consumed, next, List.of());
    }

    void applied(Commit commit) {
        fresh.clear();
        notBefore = Instant.EPOCH;
        committed = new Committed(
                commit.next().lease(),
                commit.next().status(),
                committed.nextSeq + commit.append().count(),
                commit.append().checksum(),
                consumed);
    }

    /** Forgets all fresh events: nothing outside rests on them. */
    void forget() {
        fresh.clear();
        notBefore = Instant.EPOCH;
        consumed = committed.consumed;
    }

    /** Takes the last fresh event back. */
    void removeLast() {
        fresh.remove(fresh.size() - 1);
    }

    private Append append() {
        if (fresh.isEmpty()) {
            return Append.nothing(committed.checksum);
        }
        byte[] payload = EventCodec.encode(fresh);
        return new Append(
                fresh.size(), payload, Checksum.next(committed.checksum, committed.nextSeq, fresh.size(), payload));
    }
}
