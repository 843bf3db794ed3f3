package dev.dormouse.store;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.StoreProfile;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.store.base.NodeRow;
import dev.dormouse.store.base.Notice;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.store.event.EventStore;
import dev.dormouse.store.event.Note;
import dev.dormouse.store.event.Question;
import dev.dormouse.store.page.PageStore;
import dev.dormouse.store.page.RunFilter;
import dev.dormouse.store.page.RunPage;
import dev.dormouse.store.queue.QueueClaim;
import dev.dormouse.store.queue.QueueClaimed;
import dev.dormouse.store.run.Claim;
import dev.dormouse.store.run.Claimed;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.DeliverOutcome;
import dev.dormouse.store.run.Delivery;
import dev.dormouse.store.run.Fence;
import dev.dormouse.store.run.HistoryAppend;
import dev.dormouse.store.run.HistoryRow;
import dev.dormouse.store.run.InboxMessage;
import dev.dormouse.store.run.OutboxFence;
import dev.dormouse.store.run.OutboxPage;
import dev.dormouse.store.run.Outgoing;
import dev.dormouse.store.run.Purged;
import dev.dormouse.store.run.Renewal;
import dev.dormouse.store.run.Renewed;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.Start;
import dev.dormouse.store.run.StartOutcome;
import dev.dormouse.store.run.Sweep;
import dev.dormouse.store.run.Swept;
import dev.dormouse.store.timer.SqlTimerStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * The database operations that the engine needs. Implement it, and a {@link StoreProvider}, to add a kind of store; the
 * {@code …Contract} interfaces in the tests of this package check an implementation.
 *
 * <p><b>Threads</b>: safe for use by many threads.
 *
 * <p><b>Transactions</b>: every call concerns one shard and is one transaction. A batch may be split into several
 * transactions, if its entries cannot be applied together. Each entry is applied completely or not at all.
 *
 * <p><b>Batches</b>: {@link #start}, {@link #commit}, {@link #append} and {@link #deliver} return one outcome per entry, in the order of
 * the batch. An empty batch returns an empty list. A batch has at most one entry
 *
 * <ul>
 *   <li>of starts, commits and appends, for each run and workflow id,
 *   <li>of deliveries, for each workflow id and key,
 *   <li>of notes, for each run and call.
 * </ul>
 *
 * <p><b>Failures</b>: {@link #start}, {@link #commit}, {@link #append} and {@link #deliver} never throw because of the database: they
 * return {@code Unknown}. They wait for a row lock of another transaction only for a moment, and then return
 * {@code Locked}. All other calls throw {@link StoreException} if the database cannot be reached or fails.
 *
 * <p><b>Time</b>: only the store's clock decides whether an alarm has passed. All instants are whole microseconds. An
 * {@link Instant} that is passed in is rounded up to one, so that no alarm is early.
 *
 * <p><b>Fences</b>: a {@link Commit} is applied only if its {@link Fence} holds for the run's row, compared under the
 * row's lock, and if the position of its events is free. A {@link HistoryAppend} is applied only if its position is
 * free. A start or delivery from an outbox is applied only if its {@link OutboxFence} holds. A renewal and a note
 * apply only under the run's current lease.
 */
public interface Store extends EventStore, DefinitionStore, AutoCloseable {

    /**
     * Returns the number of shards over which workflow ids are spread: at least 1, fixed for the life of the database.
     */
    int shards();

    /** Returns the time of the store's clock. */
    Instant now(int shard);

    /** Returns true if this process is the only one that can use the database, so that no other node exists. */
    boolean isExclusive();

    /** Returns a description of the database. May query the database. */
    default StoreProfile about() {
        return StoreProfile.UNKNOWN;
    }

    /**
     * Inserts runs, each with its row, its first events and its lease or alarm. If the workflow id has a run already,
     * that run is returned as {@link StartOutcome.Exists}, unless it is closed with a status in {@link Start#replaces}.
     * Repeating an identical start has no further effect.
     */
    List<StartOutcome> start(int shard, List<Start> batch);

    /**
     * Inserts a run in the caller's transaction, on a connection to the same database. The run exists once the caller
     * commits. The call locks no existing row, so it replaces no closed run: {@link Start#replaces} is ignored. The
     * start must not have a lease.
     *
     * @return the outcome; {@code Exists} if the workflow id has a run, open or closed
     */
    StartOutcome startWithin(Connection connection, int shard, Start start);

    /** Returns the latest run of a workflow id, as the caller's transaction sees it; empty if there is none. */
    Optional<RunRow> currentWithin(Connection connection, int shard, String workflowId);

    /**
     * Applies a commit in the caller's transaction, which keeps the run's row locked until it ends. For a run that no
     * node executes.
     *
     * @param lane the lane whose nodes are notified of the alarm that the commit sets, once the caller commits
     * @return the outcome of the commit; {@code Committed} takes effect when the caller commits
     */
    CommitOutcome commitWithin(Connection connection, int shard, String lane, Commit commit);

    /**
     * Leases due runs to a node, oldest alarm first. Each claimed run gets the new lease, owner and alarm in one
     * transaction. A run that another transaction has locked is skipped.
     *
     * @return the claimed runs, none if nothing is due
     */
    Claimed claim(int shard, Claim claim);

    /**
     * Applies commits, each under its {@link Fence}. State, alarm, history and outbox of a run change together or not
     * at all. Repeating an identical commit has no further effect, see {@link Commit}.
     *
     * @return one outcome for each commit, in the order of the batch
     */
    List<CommitOutcome> commit(int shard, List<Commit> batch);

    /**
     * Appends events to histories, each entry at its position, without reading or changing the rows of the runs. An
     * entry is {@code Fenced} if its position is taken by other events, or if its epoch is not the store's. Of several
     * appends and commits for one position, one is applied. Repeating an identical append has no further effect.
     *
     * <p>The store does not check that the run exists and is held by the sender, nor that the position is the end of the
     * history; see {@link HistoryAppend}. It may not notice that the position was taken by the start or by a commit of
     * the run's owner ({@link Commit#isFromOwner}): a sender that follows the rules of {@code HistoryAppend} never
     * appends there.
     *
     * @return one outcome for each entry, in the order of the batch: {@code Committed} with {@link
     *     CommitOutcome#MAIL_NOT_READ}, {@code Fenced}, {@code Locked}, {@code Rejected} or {@code Unknown}
     */
    List<CommitOutcome> append(int shard, List<HistoryAppend> batch);

    /**
     * Begins a transaction for a user's statements and one commit. It uses none of the connections of the other
     * operations.
     *
     * <p>The call waits some seconds for a connection, or for other writers if the database has a single writer. It
     * throws if that was not enough; then no transaction was begun. In a database with a single writer, the transaction
     * blocks all other changes until it ends. It must be short there, and code that waits in it for another change
     * waits forever.
     *
     * @return the open transaction, to be closed by the caller
     */
    StoreTransaction begin(int shard);

    /**
     * Leases due runs of one queue to a node, within the queue's limits. A {@link Claim} must not name the lanes of
     * queues, because it ignores limits.
     *
     * @return the claimed runs, and when the queue's limits allow the next ones
     */
    QueueClaimed claimQueued(int shard, QueueClaim claim);

    /**
     * Stores the progress of steps. The store keeps one note for each run and call: the latest note of the latest
     * attempt. A note whose lease is not the run's current lease is ignored.
     */
    void note(int shard, List<Note> notes);

    /** Returns the progress notes of a run, in order of their calls. */
    List<Note> notes(int shard, UUID runId);

    /**
     * Deletes notes by run and call, if they are of the same or an earlier attempt. The lease of the run does not
     * matter.
     */
    void erase(int shard, List<Note> notes);

    /**
     * Adds items to inboxes, and increments the {@code mail} counter of each run under its row's lock. The effect on
     * the alarm depends on the run's status:
     *
     * <ul>
     *   <li>WAITING: the alarm becomes now.
     *   <li>PARKED: the alarm becomes at most now plus {@code leasePeriod}, so that the run is claimed even if its
     *       owner is dead. No code executes in such a run.
     *   <li>All others, in particular RUNNING: the alarm does not change, because only the owner knows the length of
     *       the lease.
     * </ul>
     *
     * <p>A run that is CONTINUED accepts mail like an open run until its successor is started.
     *
     * <p>Several items for one workflow id are accepted in the order of the batch, at consecutive positions. An item
     * that is refused (a duplicate, a bad entry, a key that another transaction has locked) takes no position and does
     * not delay the items after it.
     *
     * @return one outcome for each delivery, in the order of the batch
     */
    List<DeliverOutcome> deliver(int shard, List<Delivery> batch, Duration leasePeriod);

    /**
     * Moves the lease ends of runs that are RUNNING under these leases to now plus {@code leasePeriod}. Other renewals
     * are ignored. A renewal ends a run's probation: it resets the strikes, and the reason of the alarm becomes
     * {@link WakeReason#LEASE} again.
     *
     * @return the runs that still execute under these leases
     */
    Renewed renew(int shard, List<Renewal> renewals, Duration leasePeriod);

    /**
     * Records that a node is alive, and returns what it may have missed: overdue alarms, the nearest alarms and outbox
     * items.
     */
    Swept sweep(int shard, Sweep sweep);

    /** Deletes the row of a node that shuts down. */
    void leave(int shard, String nodeId);

    /** Returns all nodes that have not left, including nodes that died. */
    List<NodeRow> nodes(int shard);

    /**
     * Makes stuck runs due that {@code build} may be able to continue. Returns how many. A run is woken if it is in one
     * of the lanes, has an alarm, and was not refused by this build. A run with takeovers, which is stuck because its
     * nodes died, is not woken, unless a build has refused it and it has no strikes.
     */
    int wakeStuck(int shard, List<String> lanes, String build);

    /**
     * Shortens leases in these lanes that end later than {@code longest} from now: they end {@code leasePeriod} from
     * now, unless they are renewed. Such leases were granted before the store's clock was set back. Returns how many
     * were shortened.
     */
    int shortenLeases(int shard, List<String> lanes, Duration longest, Duration leasePeriod);

    /** Returns the row of a run, empty if there is none. */
    Optional<RunRow> run(int shard, UUID runId);

    /** Returns the latest run of a workflow id, empty if there is none. */
    Optional<RunRow> current(int shard, String workflowId);

    /** Returns the rows of several runs, in no particular order. Unknown ids are omitted. */
    List<RunRow> runs(int shard, List<UUID> runIds);

    /** Returns the history row of a run that begins with event {@code seq}, empty if there is none. */
    Optional<HistoryRow> history(int shard, UUID runId, int seq);

    /** Returns the number of events in a run's history; 0 if there is none. Exact while the run executes, too. */
    int historyLength(int shard, UUID runId);

    /** Returns the histories of several runs, each in order of its events. Unknown ids are omitted. */
    List<HistoryRow> histories(int shard, List<UUID> runIds);

    /**
     * Returns at most {@code limit} mail items of a workflow id after position {@code after}, in order. A store may end
     * the page with the item with which the payloads reach {@link InboxMessage#MOST_BYTES}.
     */
    List<InboxMessage> mail(int shard, String workflowId, long after, int limit);

    /**
     * Returns runs that match a filter, newest first, or ordered by workflow id if the filter has a prefix. Scans a
     * bounded number of rows.
     *
     * @param page empty for the first page, otherwise {@link RunPage#next()} of the previous page
     */
    RunPage list(int shard, RunFilter filter, Optional<String> page, int limit);

    /** Returns the read-only queries for dashboards and metrics. */
    PageStore pages();

    /** Returns the timers that were set in SQL. Default: none. */
    default SqlTimerStore sqlTimers() {
        return SqlTimerStore.NONE;
    }

    /**
     * Returns items of the outbox, oldest first.
     *
     * @param page empty for the first page, otherwise {@link OutboxPage#next()} of the previous page
     */
    OutboxPage outbox(int shard, Optional<String> page, int limit);

    /** Returns a page with the outbox item of this id, or without items if there is none. */
    OutboxPage outgoing(int shard, UUID id);

    /** Returns the oldest items of the outbox. */
    default List<Outgoing> outbox(int shard, int limit) {
        return outbox(shard, Optional.empty(), limit).items();
    }

    /**
     * Removes items from the outbox that were delivered or can never be delivered.
     *
     * @param epoch the store's {@link Swept#epoch} in which they were delivered; {@link Fence#ANY_EPOCH} if it does not
     *     matter. In another epoch nothing is removed, because the deliveries may be lost
     */
    void forwarded(int shard, String epoch, List<UUID> ids);

    /** Removes items from the outbox, regardless of the store's epoch. */
    default void forwarded(int shard, List<UUID> ids) {
        forwarded(shard, Fence.ANY_EPOCH, ids);
    }

    /**
     * Deletes runs that closed before {@code closedBefore}, with everything that belongs to them. A run that is
     * CONTINUED and the latest of its workflow id stays, because its successor will follow. An inbox and subscriptions
     * stay as long as their workflow id's latest run.
     *
     * @param after {@link Purged#next} of the previous call; empty to start from the beginning
     * @param limit the number of runs to examine
     * @return the number of deleted runs, and where the next call continues
     */
    Purged purge(int shard, Instant closedBefore, Optional<UUID> after, int limit);

    /**
     * Stores a question for nodes that have the code of its lane. Repeating the call with the same id changes nothing.
     */
    void ask(int shard, Question question);

    /** Returns unanswered questions in these lanes, oldest first. */
    List<Question> questions(int shard, List<String> lanes, int limit);

    /**
     * Stores the answer to a question. The first answer is kept; later ones, and answers to deleted questions, are
     * ignored.
     */
    void reply(int shard, UUID id, byte[] answer);

    /** Returns the answer to a question, empty if there is none yet. */
    Optional<byte[]> reply(int shard, UUID id);

    /**
     * Deletes these questions, and all questions older than {@code age}, answered or not. Returns how many were
     * deleted.
     */
    int forget(int shard, List<UUID> ids, Duration age);

    /** Notifies other nodes. Best effort: notices may be lost. Never throws. */
    void notify(List<Notice> notices);

    /**
     * Listens to notices of other nodes until the returned handle is closed. The store calls {@code listener} on one of
     * its threads, so the listener must return quickly. It runs {@code gap} after it has replaced a lost connection,
     * because notices may have been missed.
     */
    AutoCloseable listen(Consumer<Notice> listener, Runnable gap);

    /**
     * Writes a consistent copy of the whole database to a new file while the database is in use.
     *
     * @throws DormouseException NOT_SUPPORTED_BY_STORE if the store cannot do that, which is the default
     */
    default void backup(Path target) {
        throw new DormouseException(
                ErrorCode.NOT_SUPPORTED_BY_STORE,
                "Expected a store that can copy itself to a file, but this one cannot. Use the database's own tools, "
                        + "such as pg_dump.");
    }

    @Override
    void close();
}
