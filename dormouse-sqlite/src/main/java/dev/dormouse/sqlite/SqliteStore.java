package dev.dormouse.sqlite;

import dev.dormouse.inspect.StoreProfile;
import dev.dormouse.sqlite.claim.ClaimStatements;
import dev.dormouse.sqlite.claim.NodeRegistry;
import dev.dormouse.sqlite.claim.QueueClaims;
import dev.dormouse.sqlite.claim.RenewStatements;
import dev.dormouse.sqlite.claim.ShortenLeaseStatements;
import dev.dormouse.sqlite.claim.SweepStatements;
import dev.dormouse.sqlite.claim.WakeStuckStatements;
import dev.dormouse.sqlite.connect.Backup;
import dev.dormouse.sqlite.connect.DatabaseLocation;
import dev.dormouse.sqlite.connect.ReadAccess;
import dev.dormouse.sqlite.connect.WriteConnection;
import dev.dormouse.sqlite.event.DefinitionStatements;
import dev.dormouse.sqlite.event.NoteStatements;
import dev.dormouse.sqlite.event.PastEventStatements;
import dev.dormouse.sqlite.event.QuestionStatements;
import dev.dormouse.sqlite.event.SubscriptionStatements;
import dev.dormouse.sqlite.page.ListStatements;
import dev.dormouse.sqlite.page.SqlitePages;
import dev.dormouse.sqlite.run.Appends;
import dev.dormouse.sqlite.run.Batch;
import dev.dormouse.sqlite.run.Commits;
import dev.dormouse.sqlite.run.Deliveries;
import dev.dormouse.sqlite.run.HistoryStatements;
import dev.dormouse.sqlite.run.InboxStatements;
import dev.dormouse.sqlite.run.OutboxStatements;
import dev.dormouse.sqlite.run.PurgeStatements;
import dev.dormouse.sqlite.run.RunStatements;
import dev.dormouse.sqlite.run.SqliteTransaction;
import dev.dormouse.sqlite.run.Starts;
import dev.dormouse.sqlite.run.UserCommitWatch;
import dev.dormouse.sqlite.run.UserTransactionWork;
import dev.dormouse.sqlite.sql.Epoch;
import dev.dormouse.sqlite.sql.InstantColumns;
import dev.dormouse.sqlite.sql.SqlErrors;
import dev.dormouse.store.Store;
import dev.dormouse.store.StoreTransaction;
import dev.dormouse.store.base.Definition;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.base.NodeRow;
import dev.dormouse.store.base.Notice;
import dev.dormouse.store.event.Note;
import dev.dormouse.store.event.PastEvent;
import dev.dormouse.store.event.Question;
import dev.dormouse.store.event.Subscription;
import dev.dormouse.store.page.PageStore;
import dev.dormouse.store.page.RunFilter;
import dev.dormouse.store.page.RunPage;
import dev.dormouse.store.queue.QueueClaim;
import dev.dormouse.store.queue.QueueClaimed;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Claim;
import dev.dormouse.store.run.Claimed;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.DeliverOutcome;
import dev.dormouse.store.run.Delivery;
import dev.dormouse.store.run.HistoryAppend;
import dev.dormouse.store.run.HistoryRow;
import dev.dormouse.store.run.InboxMessage;
import dev.dormouse.store.run.OutboxPage;
import dev.dormouse.store.run.Purged;
import dev.dormouse.store.run.Renewal;
import dev.dormouse.store.run.Renewed;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.Start;
import dev.dormouse.store.run.StartOutcome;
import dev.dormouse.store.run.Sweep;
import dev.dormouse.store.run.Swept;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A store in one SQLite file, or in memory.
 *
 * <p>This class only maps operations to connections. Operations that write run in a transaction of the one {@link
 * WriteConnection}, one after the other. Operations that only read run in the reader pool and do not wait for writers.
 * A file belongs to this process while the store is open, so all nodes are in this process and notices between nodes
 * are not needed.
 */
final class SqliteStore implements Store {
    private final DatabaseLocation location;
    private final int shards;
    private final WriteConnection writer;
    private final ReadAccess readers;
    private final Runnable giveUp;
    private final UserCommitWatch userCommits;
    private final NodeRegistry nodes = new NodeRegistry();
    private final Instant upSince;
    private final Batch<Start, StartOutcome> starts;
    private final Batch<Commit, CommitOutcome> commits;
    private final Batch<HistoryAppend, CommitOutcome> appends;
    private final Batch<Delivery, DeliverOutcome> deliveries;

    /** @param giveUp runs after everything is closed */
    SqliteStore(DatabaseLocation location, int shards, WriteConnection writer, ReadAccess readers, Runnable giveUp) {
        this.location = location;
        this.shards = shards;
        this.writer = writer;
        this.readers = readers;
        this.giveUp = giveUp;
        this.userCommits = new UserCommitWatch(readers);
        this.upSince = Micros.toInstant(writer.now());
        String name = location.name();
        this.starts = new Batch<>(
                name,
                writer,
                new Batch.Answers<>(
                        new StartOutcome.Locked(),
                        StartOutcome.Rejected::new,
                        StartOutcome.Unknown::new,
                        StartOutcome.Rejected::new));
        Batch.Answers<CommitOutcome> outcomes = new Batch.Answers<>(
                new CommitOutcome.Locked(),
                CommitOutcome.Rejected::new,
                CommitOutcome.Unknown::new,
                CommitOutcome.Unknown::new);
        this.commits = new Batch<>(name, writer, outcomes);
        this.appends = new Batch<>(name, writer, outcomes);
        this.deliveries = new Batch<>(
                name,
                writer,
                new Batch.Answers<>(
                        new DeliverOutcome.Locked(),
                        DeliverOutcome.Rejected::new,
                        DeliverOutcome.Unknown::new,
                        DeliverOutcome.Rejected::new));
    }

    @Override
    public int shards() {
        return shards;
    }

    @Override
    public Instant now(int shard) {
        return Micros.toInstant(writer.now());
    }

    @Override
    public boolean isExclusive() {
        return true;
    }

    @Override
    public StoreProfile about() {
        String version = read(session -> session.call("select sqlite_version()").all(row -> row.getString(1)))
                .get(0);
        String name = location.file().map(file -> file.getFileName().toString()).orElse("memory");
        return new StoreProfile("SQLite", name, version, location.file());
    }

    @Override
    public List<StartOutcome> start(int shard, List<Start> batch) {
        return starts.apply(shard, batch, Starts::apply);
    }

    @Override
    public StartOutcome startWithin(Connection connection, int shard, Start start) {
        StartOutcome outcome = new UserTransactionWork(location, writer.identity())
                .apply(
                        connection,
                        shard,
                        writer.now(),
                        StartOutcome.Locked::new,
                        tx -> Starts.apply(tx, start.replacingNothing()));
        if (outcome instanceof StartOutcome.Started) {
            userCommits.expect(shard, start.runId());
        }
        return outcome;
    }

    @Override
    public Optional<RunRow> currentWithin(Connection connection, int shard, String workflowId) {
        return new UserTransactionWork(location, writer.identity())
                .apply(
                        connection,
                        shard,
                        writer.now(),
                        () -> {
                            throw SqlErrors.busy();
                        },
                        tx -> RunStatements.current(tx.session(), shard, workflowId));
    }

    @Override
    public CommitOutcome commitWithin(Connection connection, int shard, String lane, Commit commit) {
        long now = writer.now();
        CommitOutcome outcome = new UserTransactionWork(location, writer.identity())
                .apply(connection, shard, now, CommitOutcome.Locked::new, tx -> Commits.apply(tx, commit));
        if (outcome instanceof CommitOutcome.Committed && commit.next().alarm() instanceof Alarm.At alarm) {
            Instant written =
                    Micros.toInstant(Math.max(now, Micros.of(alarm.instant()))); // an alarm is never before now
            userCommits.expect(shard, commit.runId(), written);
        }
        return outcome;
    }

    @Override
    public Claimed claim(int shard, Claim claim) {
        return write(shard, tx -> ClaimStatements.apply(tx, claim));
    }

    @Override
    public QueueClaimed claimQueued(int shard, QueueClaim claim) {
        return write(shard, tx -> QueueClaims.apply(tx, claim));
    }

    @Override
    public List<CommitOutcome> commit(int shard, List<Commit> batch) {
        return commits.apply(shard, batch, Commits::apply);
    }

    @Override
    public List<CommitOutcome> append(int shard, List<HistoryAppend> batch) {
        return appends.apply(shard, batch, Appends::apply);
    }

    @Override
    public StoreTransaction begin(int shard) {
        try {
            return SqliteTransaction.begin(location.name(), writer, shard);
        } catch (SQLException e) {
            throw SqlErrors.of(location.name(), e);
        }
    }

    @Override
    public void note(int shard, List<Note> notes) {
        if (!notes.isEmpty()) {
            write(shard, tx -> NoteStatements.keep(tx, notes));
        }
    }

    @Override
    public List<Note> notes(int shard, UUID runId) {
        return read(session -> NoteStatements.of(session, shard, runId));
    }

    @Override
    public void erase(int shard, List<Note> notes) {
        if (!notes.isEmpty()) {
            write(shard, tx -> NoteStatements.erase(tx, notes));
        }
    }

    @Override
    public List<DeliverOutcome> deliver(int shard, List<Delivery> batch, Duration leasePeriod) {
        return deliveries.apply(shard, batch, (tx, delivery) -> Deliveries.apply(tx, delivery, leasePeriod));
    }

    @Override
    public Renewed renew(int shard, List<Renewal> renewals, Duration leasePeriod) {
        return renewals.isEmpty()
                ? new Renewed(Micros.toInstant(writer.now()), Map.of())
                : write(shard, tx -> RenewStatements.apply(tx, renewals, leasePeriod));
    }

    @Override
    public Swept sweep(int shard, Sweep sweep) {
        return read(session -> {
            long now = writer.now();
            Instant at = Micros.toInstant(now);
            nodes.seen(shard, sweep, at);
            SweepStatements sweeps = new SweepStatements(session, shard, new LinkedHashSet<>(sweep.lanes()), now);
            SweepStatements queues = new SweepStatements(session, shard, new LinkedHashSet<>(sweep.queueLanes()), now);
            return new Swept(
                    at,
                    Epoch.ONLY,
                    upSince,
                    sweeps.isOverdue(),
                    sweeps.alarms(sweep.alarms()),
                    !OutboxStatements.isEmpty(session, shard),
                    queues.isOverdue(),
                    queues.alarms(sweep.alarms()));
        });
    }

    @Override
    public void leave(int shard, String nodeId) {
        nodes.left(shard, nodeId);
    }

    @Override
    public List<NodeRow> nodes(int shard) {
        return nodes.in(shard);
    }

    @Override
    public int wakeStuck(int shard, List<String> lanes, String build) {
        return write(shard, tx -> WakeStuckStatements.apply(tx, lanes, build));
    }

    @Override
    public int shortenLeases(int shard, List<String> lanes, Duration longest, Duration leasePeriod) {
        return write(shard, tx -> ShortenLeaseStatements.shorten(tx, lanes, longest, leasePeriod));
    }

    @Override
    public Optional<RunRow> run(int shard, UUID runId) {
        return read(session -> RunStatements.byId(session, shard, runId));
    }

    @Override
    public Optional<RunRow> current(int shard, String workflowId) {
        return read(session -> RunStatements.current(session, shard, workflowId));
    }

    @Override
    public List<RunRow> runs(int shard, List<UUID> runIds) {
        return read(session -> RunStatements.byIds(session, shard, runIds));
    }

    @Override
    public Optional<HistoryRow> history(int shard, UUID runId, int seq) {
        return read(session -> HistoryStatements.row(session, shard, runId, seq));
    }

    @Override
    public int historyLength(int shard, UUID runId) {
        return read(session -> HistoryStatements.length(session, shard, runId));
    }

    @Override
    public List<HistoryRow> histories(int shard, List<UUID> runIds) {
        return read(session -> HistoryStatements.of(session, shard, runIds));
    }

    @Override
    public List<InboxMessage> mail(int shard, String workflowId, long after, int limit) {
        return read(session -> InboxStatements.after(session, shard, workflowId, after, limit));
    }

    @Override
    public RunPage list(int shard, RunFilter filter, Optional<String> page, int limit) {
        return read(session -> ListStatements.page(session, shard, filter, page, limit));
    }

    @Override
    public OutboxPage outbox(int shard, Optional<String> page, int limit) {
        return read(session -> OutboxStatements.page(session, shard, page, limit, now(shard)));
    }

    @Override
    public OutboxPage outgoing(int shard, UUID id) {
        return read(session -> OutboxStatements.one(session, shard, id, now(shard)));
    }

    @Override
    public void forwarded(int shard, String epoch, List<UUID> ids) {
        write(shard, tx -> OutboxStatements.remove(tx, epoch, ids));
    }

    @Override
    public Purged purge(int shard, Instant closedBefore, Optional<UUID> after, int limit) {
        return write(shard, tx -> PurgeStatements.apply(tx, closedBefore, after, limit));
    }

    @Override
    public void ask(int shard, Question question) {
        write(shard, tx -> QuestionStatements.ask(tx, question));
    }

    @Override
    public List<Question> questions(int shard, List<String> lanes, int limit) {
        return read(session -> QuestionStatements.open(session, shard, lanes, limit));
    }

    @Override
    public void reply(int shard, UUID id, byte[] answer) {
        write(shard, tx -> QuestionStatements.reply(tx, id, answer));
    }

    @Override
    public Optional<byte[]> reply(int shard, UUID id) {
        return read(session -> QuestionStatements.reply(session, shard, id));
    }

    @Override
    public int forget(int shard, List<UUID> ids, Duration age) {
        return write(shard, tx -> QuestionStatements.forget(tx, ids, age));
    }

    @Override
    public void subscribe(int shard, List<Subscription> batch) {
        if (!batch.isEmpty()) {
            write(shard, tx -> SubscriptionStatements.keep(tx, batch));
        }
    }

    @Override
    public void unsubscribe(int shard, List<Subscription> subscriptions) {
        if (!subscriptions.isEmpty()) {
            write(shard, tx -> SubscriptionStatements.takeBack(tx, subscriptions));
        }
    }

    @Override
    public List<Subscription> subscriptions(
            int shard, String event, Collection<String> keys, @Nullable Subscription after, int limit) {
        SubscriptionStatements.Page page = new SubscriptionStatements.Page(event, keys, after, limit);
        return read(session -> SubscriptionStatements.read(session, shard, page, writer.now()));
    }

    @Override
    public void remember(int shard, List<PastEvent> batch, Duration keep) {
        if (!batch.isEmpty()) {
            write(shard, tx -> PastEventStatements.keep(tx, batch, keep));
        }
    }

    @Override
    public List<PastEvent> recall(int shard, String event, Duration age, int limit) {
        return read(session ->
                PastEventStatements.latest(session, shard, event, InstantColumns.before(writer.now(), age), limit));
    }

    @Override
    public boolean define(int shard, String name, int version, byte[] body) {
        return write(shard, tx -> DefinitionStatements.keep(tx, name, version, body));
    }

    @Override
    public Optional<Definition> definition(int shard, String name, int version) {
        return read(session -> DefinitionStatements.one(session, shard, name, version));
    }

    @Override
    public List<Definition> definitions(int shard, Instant since, @Nullable Definition after, int limit) {
        return read(session -> DefinitionStatements.since(session, shard, since, after, limit));
    }

    @Override
    public PageStore pages() {
        return new SqlitePages(location.name(), writer, readers, nodes);
    }

    /** Does nothing: there is no other process to notify. */
    @Override
    public void notify(List<Notice> notices) {}

    /** Registers a listener for notices of the store itself; there are no others. */
    @Override
    public AutoCloseable listen(Consumer<Notice> listener, Runnable gap) {
        return userCommits.listen(listener);
    }

    @Override
    public void backup(Path target) {
        new Backup(readers, location.name()).writeTo(target);
    }

    private <T> T write(int shard, WriteConnection.Work<T> work) {
        try {
            return writer.write(shard, work);
        } catch (SQLException e) {
            throw SqlErrors.of(location.name(), e);
        }
    }

    private <T> T read(ReadAccess.Work<T> work) {
        try {
            return readers.read(work);
        } catch (SQLException e) {
            throw SqlErrors.of(location.name(), e);
        }
    }

    /** Waits for operations in progress. */
    @Override
    public void close() {
        userCommits.close();
        readers.close();
        writer.close();
        giveUp.run();
    }
}
