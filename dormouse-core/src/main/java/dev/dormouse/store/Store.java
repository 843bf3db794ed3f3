package dev.dormouse.store;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * What the engine needs of a database. Batches go in, one outcome for each entry comes out, in the same order.
 *
 * <p>Safe for use by many threads. Every call concerns one shard and is one transaction, or several where entries that
 * could not be applied together are looked at one by one. The store's clock is the only one that decides whether an
 * alarm has passed; all its instants are whole microseconds, and an {@link Instant} that is handed in is rounded up to
 * one, so that nothing is ever early.
 *
 * <p>{@link #start}, {@link #commit} and {@link #deliver} never throw because of the database: they answer
 * {@code Unknown}. They never wait for anybody's row lock for longer than a moment: what is locked comes back as
 * {@code Locked}. A batch has at most one entry for each run and workflow id; one of deliveries, for each workflow id and
 * key; one of notes, for each run and call. All other calls throw {@link StoreException} when the database cannot be
 * asked.
 */
public interface Store extends EventStore, DefinitionStore, AutoCloseable {

    /** Into how many shards workflow ids are spread: at least 1, fixed for the life of the database. */
    int shards();

    /** What the store's clock shows. */
    Instant now(int shard);

    /** Whether this process is the only one that can use the database, so that no other node exists. */
    boolean isExclusive();

    /** What database it is. May ask it. */
    default StoreProfile about() {
        return StoreProfile.UNKNOWN;
    }

    List<StartOutcome> start(int shard, List<Start> batch);

    /**
     * The same in the caller's transaction, on a connection to the same database: takes effect when the caller commits,
     * and locks no row of a run. Such a start has no lease.
     */
    StartOutcome startWithin(Connection connection, int shard, Start start);

    /** The workflow id's run, as the caller's transaction sees it. */
    Optional<RunRow> currentWithin(Connection connection, int shard, String workflowId);

    /**
     * A commit in the caller's transaction, which holds the run's row locked until it ends: for a run that nobody executes.
     *
     * @param lane whose nodes are told of the alarm that it sets, when the caller commits
     */
    CommitOutcome commitWithin(Connection connection, int shard, String lane, Commit commit);

    Claimed claim(int shard, Claim claim);

    List<CommitOutcome> commit(int shard, List<Commit> batch);

    /**
     * Begins a transaction for a user's statements and one commit. Waits some seconds for a connection, or (where the
     * database has one writer) for others who write, and throws when that was not enough: then nothing was begun. It takes
     * no connection from the other operations. Where the database has one writer, it holds up their changes until its end,
     * and so must be short; whoever waits in it for one of them waits for ever.
     */
    StoreTransaction begin(int shard);

    /**
     * Takes runs of one queue, within its limits. Lanes of queues must not be named in a {@link Claim}, which knows no
     * limits.
     */
    QueueClaimed claimQueued(int shard, QueueClaim claim);

    /**
     * Keeps what steps say of their progress, one note for each run and call: of the latest attempt, and of that the
     * latest. What comes from elsewhere than the run's lease, as it is when the store looks, is left out.
     */
    void note(int shard, List<Note> notes);

    /** What the steps of a run have said of their progress, in order of their calls. */
    List<Note> notes(int shard, UUID runId);

    /** Forgets notes: those of these runs and calls, of the same or an earlier attempt, whoever holds the run. */
    void erase(int shard, List<Note> notes);

    /**
     * Puts items into inboxes, and bumps the {@code mail} counter of each run under its row's lock. The alarm of a run
     * that is WAITING becomes now. That of a PARKED run becomes at most now plus a lease period, so that it is looked
     * at even if its owner is dead; nothing executes in such a run. All others keep theirs, above all the RUNNING ones:
     * only their owner knows how long their lease is. A run that is CONTINUED
     * accepts mail like an open one until its successor is started.
     *
     * <p>Several items for one workflow id are accepted in the order of the batch, at consecutive positions. One that is
     * refused (a duplicate, a bad entry, one whose key somebody else has locked) takes no position and does not hold up
     * those behind it.
     */
    List<DeliverOutcome> deliver(int shard, List<Delivery> batch, Duration leasePeriod);

    /**
     * Moves the lease ends of runs that are RUNNING under these leases to now plus a lease period. A run on probation
     * has proven itself by that: it has no strikes, and the reason of its alarm is {@link WakeReason#LEASE} again.
     */
    Renewed renew(int shard, List<Renewal> renewals, Duration leasePeriod);

    Swept sweep(int shard, Sweep sweep);

    /** Forgets the node. */
    void leave(int shard, String nodeId);

    /** All nodes that have not left, also those that died. */
    List<NodeRow> nodes(int shard);

    /**
     * Wakes stuck runs of these lanes that have an alarm and that this build has not refused yet. Returns how many. A
     * run without an alarm stays as it is, and so does one that is stuck because its nodes died: with takeovers, unless
     * a build has refused it and it has no strikes.
     */
    int knock(int shard, List<String> lanes, String build);

    /**
     * Leases in these lanes that end later than so long from now, which no node has asked for since the store's clock
     * was set back, end in a lease period from now, unless they are renewed; tells how many.
     */
    int shortenLeases(int shard, List<String> lanes, Duration longest, Duration leasePeriod);

    Optional<RunRow> run(int shard, UUID runId);

    /** The latest run of a workflow id. */
    Optional<RunRow> current(int shard, String workflowId);

    /** Rows of several runs, in no particular order; unknown ids are left out. */
    List<RunRow> runs(int shard, List<UUID> runIds);

    /** The row of a run's history that begins with this event. */
    Optional<HistoryRow> history(int shard, UUID runId, int seq);

    /** The histories of several runs, each in order of its events. */
    List<HistoryRow> histories(int shard, List<UUID> runIds);

    /**
     * Returns mail of a workflow id after a position, in order, at most {@code limit} items. A store may stop with the item
     * with which the payloads reach {@link Mail#MOST_BYTES}.
     */
    List<Mail> mail(int shard, String workflowId, long after, int limit);

    /**
     * Runs that match, newest first, or by workflow id where a prefix is given. Looks at a bounded number of rows.
     *
     * @param page empty for the first page, otherwise {@link RunPage#next()} of the page before
     */
    RunPage list(int shard, RunFilter filter, Optional<String> page, int limit);

    /** What those ask who look on. */
    PageStore pages();

    /** Timers that were set in SQL. */
    default SqlTimerStore sqlTimers() {
        return SqlTimerStore.NONE;
    }

    /**
     * Returns items of the outbox, oldest first.
     *
     * @param page empty for the first page, otherwise {@link OutboxPage#next()} of the page before
     */
    OutboxPage outbox(int shard, Optional<String> page, int limit);

    /** Returns a page with the item of this id, without items where there is none. */
    OutboxPage outgoing(int shard, UUID id);

    /** Returns the oldest items of the outbox. */
    default List<Outgoing> outbox(int shard, int limit) {
        return outbox(shard, Optional.empty(), limit).items();
    }

    /**
     * Removes items from the outbox that were delivered, or can never be.
     *
     * @param epoch the store's {@link Swept#epoch} in which they were delivered: in another one nothing is removed, because
     *     what was delivered may be lost. {@link Fence#ANY_EPOCH} where it does not matter
     */
    void forwarded(int shard, String epoch, List<UUID> ids);

    /** Removes items from the outbox, whatever the store's epoch is. */
    default void forwarded(int shard, List<UUID> ids) {
        forwarded(shard, Fence.ANY_EPOCH, ids);
    }

    /**
     * Deletes runs that closed before an instant, with all that belongs to them. A run that is CONTINUED and the latest
     * of its workflow id stays, because its successor is still to come, and an inbox and subscriptions stay as long as
     * their workflow id's latest run does.
     *
     * @param after where the last call stopped, empty to begin anew
     * @param limit how many runs to look at
     */
    Purged purge(int shard, Instant closedBefore, Optional<UUID> after, int limit);

    /** Puts a question to whoever has the code of its lane. Asking again under the same id changes nothing. */
    void ask(int shard, Question question);

    /** Questions in these lanes that nobody has answered, oldest first. */
    List<Question> questions(int shard, List<String> lanes, int limit);

    /** Answers a question, unless somebody has before: the first answer stays. One that is forgotten is left alone. */
    void reply(int shard, UUID id, byte[] answer);

    /** The answer to a question, if there is one. */
    Optional<byte[]> reply(int shard, UUID id);

    /** Removes these questions, and all that were asked longer ago than an age, answered or not; tells how many. */
    int forget(int shard, List<UUID> ids, Duration age);

    /** Tells other nodes; may be lost, never throws. */
    void notify(List<Notice> notices);

    /**
     * Hears what other nodes tell, until closed. The listener is called from a thread of the store and returns quickly.
     * After a lost connection was replaced, {@code gap} runs: notices may have been missed.
     */
    AutoCloseable listen(Consumer<Notice> listener, Runnable gap);

    /** Writes a consistent copy of the whole database to a new file while it is in use. */
    default void backup(Path target) {
        throw new DormouseException(
                ErrorCode.NOT_SUPPORTED_BY_STORE,
                "Expected a store that can copy itself to a file, but this one cannot. Use the database's own tools, "
                        + "such as pg_dump.");
    }

    @Override
    void close();
}
