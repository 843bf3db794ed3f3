package dev.dormouse.postgres;

import dev.dormouse.inspect.StoreProfile;
import dev.dormouse.postgres.claim.ClaimStatements;
import dev.dormouse.postgres.claim.NodeRegistry;
import dev.dormouse.postgres.claim.QueueClaims;
import dev.dormouse.postgres.claim.RenewStatements;
import dev.dormouse.postgres.claim.ShortenLeaseStatements;
import dev.dormouse.postgres.claim.SweepStatements;
import dev.dormouse.postgres.claim.WakeStuckStatements;
import dev.dormouse.postgres.connect.PooledCalls;
import dev.dormouse.postgres.connect.Pools;
import dev.dormouse.postgres.event.DefinitionStatements;
import dev.dormouse.postgres.event.NoteStatements;
import dev.dormouse.postgres.event.PastEventStatements;
import dev.dormouse.postgres.event.QuestionStatements;
import dev.dormouse.postgres.event.SubscriptionStatements;
import dev.dormouse.postgres.notify.NoticeCodec;
import dev.dormouse.postgres.notify.NotificationListener;
import dev.dormouse.postgres.notify.Notifier;
import dev.dormouse.postgres.page.ListStatements;
import dev.dormouse.postgres.page.PostgresPages;
import dev.dormouse.postgres.page.PostgresSqlTimers;
import dev.dormouse.postgres.run.Appends;
import dev.dormouse.postgres.run.CommitWithin;
import dev.dormouse.postgres.run.Commits;
import dev.dormouse.postgres.run.Deliveries;
import dev.dormouse.postgres.run.HistoryStatements;
import dev.dormouse.postgres.run.InboxStatements;
import dev.dormouse.postgres.run.OutboxStatements;
import dev.dormouse.postgres.run.PurgeStatements;
import dev.dormouse.postgres.run.RunStatements;
import dev.dormouse.postgres.run.StartWithin;
import dev.dormouse.postgres.run.Starts;
import dev.dormouse.postgres.sql.Epoch;
import dev.dormouse.postgres.sql.Schema;
import dev.dormouse.postgres.sql.SchemaSetup;
import dev.dormouse.postgres.sql.ServerWarnings;
import dev.dormouse.postgres.sql.SqlErrors;
import dev.dormouse.store.Store;
import dev.dormouse.store.StoreConfig;
import dev.dormouse.store.StoreTransaction;
import dev.dormouse.store.base.Definition;
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
import dev.dormouse.store.timer.SqlTimerStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The store of runs in PostgreSQL. Each operation is one prepared statement that commits by itself and has its own
 * class; this class provides the connection. (A queue claim is a transaction of several statements.) Nothing is cached
 * or decided here: the database is asked each time, and its clock is the only one. Thread-safe.
 */
final class PostgresStore implements Store {
    private final Pools pools;
    private final Schema schema;
    private final int shards;
    private final Starts starts;
    private final StartWithin startWithin;
    private final CommitWithin commitWithin;
    private final Commits commits;
    private final Appends appends;
    private final Deliveries deliveries;
    private final ClaimStatements claim;
    private final QueueClaims queues;
    private final RenewStatements renew;
    private final SweepStatements sweep;
    private final NodeRegistry nodes;
    private final WakeStuckStatements wakeStuck;
    private final ShortenLeaseStatements shorten;
    private final RunStatements runs;
    private final HistoryStatements histories;
    private final InboxStatements mail;
    private final ListStatements list;
    private final OutboxStatements outbox;
    private final PurgeStatements purge;
    private final QuestionStatements questions;
    private final NoteStatements notes;
    private final SubscriptionStatements subscriptions;
    private final PastEventStatements pastEvents;
    private final DefinitionStatements definitions;
    private final PostgresPages pages;
    private final PostgresSqlTimers sqlTimers;
    private final Notifier notifier;

    private PostgresStore(Pools pools, Schema schema, int shards, Epoch epoch) {
        this.pools = pools;
        this.schema = schema;
        this.shards = shards;
        this.starts = new Starts(pools, schema, epoch);
        this.startWithin = new StartWithin(schema, epoch);
        this.commitWithin = new CommitWithin(schema, epoch);
        this.commits = new Commits(pools, schema, epoch);
        this.appends = new Appends(pools, schema, epoch);
        this.deliveries = new Deliveries(pools, schema, epoch);
        this.claim = new ClaimStatements(schema);
        this.queues = new QueueClaims(schema);
        this.renew = new RenewStatements(schema);
        this.sweep = new SweepStatements(schema, epoch);
        this.nodes = new NodeRegistry(schema);
        this.wakeStuck = new WakeStuckStatements(schema);
        this.shorten = new ShortenLeaseStatements(schema);
        this.runs = new RunStatements(schema);
        this.histories = new HistoryStatements(schema);
        this.mail = new InboxStatements(schema);
        this.list = new ListStatements(schema);
        this.outbox = new OutboxStatements(schema, epoch);
        this.purge = new PurgeStatements(schema);
        this.questions = new QuestionStatements(schema);
        this.notes = new NoteStatements(schema);
        this.subscriptions = new SubscriptionStatements(schema);
        this.pastEvents = new PastEventStatements(schema);
        this.definitions = new DefinitionStatements(schema);
        this.pages = new PostgresPages(pools, schema, shards);
        this.sqlTimers = new PostgresSqlTimers(pools);
        this.notifier = new Notifier(pools.notices(), schema);
    }

    static PostgresStore open(Pools pools, Schema schema, StoreConfig config) throws SQLException {
        SchemaSetup setup = new SchemaSetup(schema);
        try (Connection connection = pools.openMigrating()) {
            setup.run(connection, config.migrate());
            int shards = setup.shards(connection, config.shards());
            ServerWarnings.log(connection, schema);
            return new PostgresStore(pools, schema, shards, Epoch.best(connection));
        }
    }

    @Override
    public int shards() {
        return shards;
    }

    @Override
    public Instant now(int shard) {
        return work(runs::now);
    }

    @Override
    public boolean isExclusive() {
        return false;
    }

    @Override
    public StoreProfile about() {
        return work(connection -> new StoreProfile(
                "PostgreSQL",
                connection.getCatalog(),
                connection.getMetaData().getDatabaseProductVersion(),
                Optional.empty()));
    }

    @Override
    public List<StartOutcome> start(int shard, List<Start> batch) {
        return starts.send(shard, batch);
    }

    @Override
    public StartOutcome startWithin(Connection connection, int shard, Start start) {
        return startWithin.run(connection, shard, start);
    }

    @Override
    public List<CommitOutcome> commit(int shard, List<Commit> batch) {
        return commits.send(shard, batch);
    }

    @Override
    public List<CommitOutcome> append(int shard, List<HistoryAppend> batch) {
        return appends.send(shard, batch);
    }

    @Override
    public StoreTransaction begin(int shard) {
        return commits.begin(shard);
    }

    @Override
    public void note(int shard, List<Note> batch) {
        tell(connection -> notes.keep(connection, shard, batch));
    }

    @Override
    public List<Note> notes(int shard, UUID runId) {
        return work(connection -> notes.ofRun(connection, shard, runId));
    }

    @Override
    public void erase(int shard, List<Note> batch) {
        tell(connection -> notes.erase(connection, shard, batch));
    }

    @Override
    public List<DeliverOutcome> deliver(int shard, List<Delivery> batch, Duration leasePeriod) {
        return deliveries.send(shard, batch, leasePeriod);
    }

    @Override
    public Claimed claim(int shard, Claim wanted) {
        return work(connection -> claim.run(connection, shard, wanted));
    }

    @Override
    public QueueClaimed claimQueued(int shard, QueueClaim wanted) {
        return work(connection -> queues.run(connection, shard, wanted));
    }

    @Override
    public Renewed renew(int shard, List<Renewal> renewals, Duration leasePeriod) {
        return PooledCalls.call(pools.renew(), connection -> renew.run(connection, shard, renewals, leasePeriod));
    }

    @Override
    public Swept sweep(int shard, Sweep wanted) {
        return work(connection -> sweep.run(connection, shard, wanted));
    }

    @Override
    public void leave(int shard, String nodeId) {
        tell(connection -> nodes.leave(connection, shard, nodeId));
    }

    @Override
    public List<NodeRow> nodes(int shard) {
        return work(connection -> nodes.nodes(connection, shard));
    }

    @Override
    public int wakeStuck(int shard, List<String> lanes, String build) {
        return work(connection -> wakeStuck.run(connection, shard, lanes, build));
    }

    @Override
    public int shortenLeases(int shard, List<String> lanes, Duration longest, Duration leasePeriod) {
        return work(connection -> shorten.run(connection, shard, lanes, longest, leasePeriod));
    }

    @Override
    public Optional<RunRow> run(int shard, UUID runId) {
        return runs(shard, List.of(runId)).stream().findFirst();
    }

    @Override
    public Optional<RunRow> currentWithin(Connection connection, int shard, String workflowId) {
        try {
            return runs.current(connection, shard, workflowId);
        } catch (SQLException e) {
            throw SqlErrors.unavailable(e);
        }
    }

    @Override
    public CommitOutcome commitWithin(Connection connection, int shard, String lane, Commit commit) {
        return commitWithin.run(connection, shard, lane, commit);
    }

    @Override
    public Optional<RunRow> current(int shard, String workflowId) {
        return work(connection -> runs.current(connection, shard, workflowId));
    }

    @Override
    public List<RunRow> runs(int shard, List<UUID> runIds) {
        return work(connection -> runs.byRunIds(connection, shard, runIds));
    }

    @Override
    public Optional<HistoryRow> history(int shard, UUID runId, int seq) {
        return work(connection -> histories.run(connection, shard, runId, seq));
    }

    @Override
    public int historyLength(int shard, UUID runId) {
        return work(connection -> histories.length(connection, shard, runId));
    }

    @Override
    public List<HistoryRow> histories(int shard, List<UUID> runIds) {
        return work(connection -> histories.run(connection, shard, runIds));
    }

    @Override
    public List<InboxMessage> mail(int shard, String workflowId, long after, int limit) {
        return work(connection -> mail.run(connection, shard, workflowId, after, limit));
    }

    @Override
    public RunPage list(int shard, RunFilter filter, Optional<String> page, int limit) {
        return work(connection -> list.run(connection, shard, filter, page, limit));
    }

    @Override
    public OutboxPage outbox(int shard, Optional<String> page, int limit) {
        return work(connection -> outbox.page(connection, shard, page, limit));
    }

    @Override
    public OutboxPage outgoing(int shard, UUID id) {
        return work(connection -> outbox.one(connection, shard, id));
    }

    @Override
    public void forwarded(int shard, String epoch, List<UUID> ids) {
        tell(connection -> outbox.forwarded(connection, shard, epoch, ids));
    }

    @Override
    public Purged purge(int shard, Instant closedBefore, Optional<UUID> after, int limit) {
        return work(connection -> purge.run(connection, shard, closedBefore, after, limit));
    }

    @Override
    public void ask(int shard, Question question) {
        tell(connection -> questions.ask(connection, shard, question));
    }

    @Override
    public List<Question> questions(int shard, List<String> lanes, int limit) {
        return work(connection -> questions.open(connection, shard, lanes, limit));
    }

    @Override
    public void reply(int shard, UUID id, byte[] answer) {
        tell(connection -> questions.reply(connection, shard, id, answer));
    }

    @Override
    public Optional<byte[]> reply(int shard, UUID id) {
        return work(connection -> questions.reply(connection, shard, id));
    }

    @Override
    public int forget(int shard, List<UUID> ids, Duration age) {
        return work(connection -> questions.forget(connection, shard, ids, age));
    }

    @Override
    public void subscribe(int shard, List<Subscription> batch) {
        if (!batch.isEmpty()) {
            tell(connection -> subscriptions.subscribe(connection, shard, batch));
        }
    }

    @Override
    public void unsubscribe(int shard, List<Subscription> batch) {
        tell(connection -> subscriptions.unsubscribe(connection, shard, batch));
    }

    @Override
    public List<Subscription> subscriptions(
            int shard, String event, Collection<String> keys, @Nullable Subscription after, int limit) {
        return work(connection -> subscriptions.read(connection, shard, event, keys, after, limit));
    }

    @Override
    public void remember(int shard, List<PastEvent> batch, Duration keep) {
        if (!batch.isEmpty()) {
            tell(connection -> pastEvents.remember(connection, shard, batch, keep));
        }
    }

    @Override
    public List<PastEvent> recall(int shard, String event, Duration age, int limit) {
        return work(connection -> pastEvents.recall(connection, shard, event, age, limit));
    }

    @Override
    public boolean define(int shard, String name, int version, byte[] body) {
        return work(connection -> definitions.define(connection, shard, name, version, body));
    }

    @Override
    public Optional<Definition> definition(int shard, String name, int version) {
        return work(connection -> definitions.one(connection, shard, name, version));
    }

    @Override
    public List<Definition> definitions(int shard, Instant since, @Nullable Definition after, int limit) {
        return work(connection -> definitions.since(connection, shard, since, after, limit));
    }

    @Override
    public PageStore pages() {
        return pages;
    }

    @Override
    public SqlTimerStore sqlTimers() {
        return sqlTimers;
    }

    @Override
    public void notify(List<Notice> notices) {
        notifier.add(notices);
    }

    @Override
    public AutoCloseable listen(Consumer<Notice> listener, Runnable gap) {
        try {
            return new NotificationListener(
                            pools::openListening, schema.quotedChannel(), NoticeCodec.decoding(listener), gap)
                    .start();
        } catch (SQLException e) {
            throw SqlErrors.unavailable(e);
        }
    }

    @Override
    public void close() {
        closeAllButPools();
        pools.close();
    }

    /** Closes the store, but not the connections, which the caller of {@link #open} may use for another store. */
    void closeAllButPools() {
        notifier.close();
    }

    private <T> T work(PooledCalls.Work<T> work) {
        return PooledCalls.call(pools.work(), work);
    }

    private void tell(Order order) {
        work(connection -> {
            order.run(connection);
            return true;
        });
    }

    @FunctionalInterface
    private interface Order {
        void run(Connection connection) throws SQLException;
    }
}
