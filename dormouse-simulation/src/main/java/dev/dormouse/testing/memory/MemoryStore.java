package dev.dormouse.testing.memory;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
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
import dev.dormouse.store.run.Append;
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
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.OutboxFence;
import dev.dormouse.store.run.OutboxPage;
import dev.dormouse.store.run.Purged;
import dev.dormouse.store.run.Renewal;
import dev.dormouse.store.run.Renewed;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.Start;
import dev.dormouse.store.run.StartOutcome;
import dev.dormouse.store.run.Sweep;
import dev.dormouse.store.run.Swept;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An in-memory store that passes the same contract as the real ones, for simulations and tests. {@link #failOver} loses
 * the latest transactions. Decisions that a real store could get wrong are small protected methods of {@link
 * MemoryRules}, so that a test can plant exactly that bug and check that it is found.
 *
 * <p>Thread-safe: every call is one transaction under one lock and never fails; faults are added by wrappers. Notices
 * are delivered on the caller's thread, without the lock.
 */
public class MemoryStore extends MemoryRules implements Store {
    private final InstantSource clock;
    private final UndoLog journal = new UndoLog();
    private final List<MemoryTables> shards;
    private final UndoLog.Table<Long, String> userRows = journal.newTable(Long::compareTo);
    private final NoticeListeners notices = new NoticeListeners();
    private final MemoryPages pages;
    private int failovers;
    private long lastPlace;
    private Instant upSince;

    public MemoryStore(InstantSource clock, int shards) {
        this.clock = clock;
        this.shards = IntStream.range(0, shards)
                .mapToObj(shard -> new MemoryTables(journal))
                .toList();
        this.pages = new MemoryPages(this, this.shards);
        this.upSince = now();
    }

    /**
     * Replaces the store with a standby that misses the latest {@code transactions}.
     *
     * @return the number of lost transactions
     */
    public synchronized int failOver(int transactions) {
        int lost = journal.undo(transactions);
        failovers++;
        upSince = now();
        notices.gap();
        return lost;
    }

    /** Releases all leases, as if every owner had given up its runs: they are due at once. */
    public synchronized void releaseLeases() {
        for (MemoryTables tables : shards) {
            journal.begin();
            List<RunRow> held = tables.runs.rows().values().stream()
                    .filter(row -> row.lease() != RunRow.NO_LEASE)
                    .toList();
            held.forEach(row -> tables.putRun(released(tables, row)));
        }
    }

    /** Returns the row as its owner would leave it, which knows all events. */
    private RunRow released(MemoryTables tables, RunRow held) {
        RowEdit row = new RowEdit(held);
        row.apply(NextState.pending(Alarm.NOW, WakeReason.HANDOVER), now());
        for (HistoryRow part : tables.historyOf(held.runId()).values()) {
            row.nextSeq = part.seq() + part.count();
            row.checksum = part.checksum();
        }
        return row.toRow();
    }

    /** Returns true if any run matches. */
    public synchronized boolean anyRun(Predicate<RunRow> condition) {
        return shards.stream()
                .flatMap(tables -> tables.runs.rows().values().stream())
                .anyMatch(condition);
    }

    private String epoch() {
        return "epoch-" + failovers;
    }

    @Override
    public Instant now(int shard) {
        return now();
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }

    /** Returns the tables, in a transaction that ends with the call. */
    private MemoryTables change(int shard) {
        journal.begin();
        return shards.get(shard);
    }

    @Override
    public int shards() {
        return shards.size();
    }

    @Override
    public boolean isExclusive() {
        return false;
    }

    @Override
    public synchronized List<StartOutcome> start(int shard, List<Start> batch) {
        MemoryTables tables = change(shard);
        Instant now = now();
        return batch.stream().map(start -> start(tables, shard, start, now)).toList();
    }

    private StartOutcome start(MemoryTables tables, int shard, Start start, Instant now) {
        if (!fenceHolds(start.fence(), epoch(), now)) {
            return new StartOutcome.Fenced();
        }
        Optional<RunRow> current = tables.currentOf(start.workflowId());
        Optional<RunRow> inTheWay = Optional.ofNullable(tables.runs.get(start.runId()))
                .or(() -> current.filter(row -> !mayReplace(start, row)));
        if (inTheWay.isPresent()) {
            return new StartOutcome.Exists(inTheWay.get());
        }
        RowEdit row = RowEdit.inserting(shard, start, now);
        row.apply(start.next(), now);
        row.mail = current.map(RunRow::mail).orElse(0L);
        row.consumed = current.map(MemoryRules::consumedForSuccessor).orElse(0L);
        append(tables, row, start.runId(), 0, start.first(), now);
        tables.putRun(row.toRow());
        tables.current.put(start.workflowId(), start.runId());
        if (start.queued().isSomewhere()) {
            tables.queues.places.put(start.runId(), start.queued());
        }
        return new StartOutcome.Started(now);
    }

    private static void append(MemoryTables tables, RowEdit row, UUID runId, int seq, Append append, Instant now) {
        row.checksum = append.checksum();
        row.nextSeq = seq + append.count();
        if (append.count() > 0) {
            append(tables, runId, seq, append, now);
        }
    }

    private static void append(MemoryTables tables, UUID runId, int seq, Append append, Instant now) {
        byte[] payload = append.payload().clone();
        tables.history.put(
                new MemoryTables.EventKey(runId, seq),
                new HistoryRow(runId, seq, append.count(), now, append.checksum(), payload));
    }

    @Override
    public StartOutcome startWithin(Connection connection, int shard, Start start) {
        throw noTransactions();
    }

    @Override
    public Optional<RunRow> currentWithin(Connection connection, int shard, String workflowId) {
        throw noTransactions();
    }

    @Override
    public CommitOutcome commitWithin(Connection connection, int shard, String lane, Commit commit) {
        throw noTransactions();
    }

    private static DormouseException noTransactions() {
        return new DormouseException(
                ErrorCode.NOT_SUPPORTED_BY_STORE,
                "Expected a store with a database's transactions, but this one is in memory. Leave out within(…).");
    }

    @Override
    public synchronized Claimed claim(int shard, Claim claim) {
        MemoryTables tables = change(shard);
        Instant now = now();
        List<RunRow> due = tables.byAlarm(claim.lanes())
                .filter(row -> !alarm(row).isBefore(claim.floor()) && isReached(alarm(row), now))
                .filter(row -> mayClaim(row, claim, now))
                .limit(claim.limit() + 1L)
                .toList();
        List<Claimed.Run> runs = due.stream()
                .limit(claim.limit())
                .map(row -> claim(tables, row, claim, now))
                .toList();
        return new Claimed(now, runs, due.size() > claim.limit());
    }

    @Override
    public synchronized QueueClaimed claimQueued(int shard, QueueClaim claim) {
        MemoryTables tables = change(shard);
        return tables.queues.claim(tables, claim, this, now());
    }

    Claimed.Run claim(MemoryTables tables, RunRow before, Claim claim, Instant now) {
        RowEdit row = new RowEdit(before);
        countTakeover(before, row);
        row.status = RunStatus.RUNNING;
        row.lease = claim.lease();
        row.owner = claim.owner();
        row.wakeAt = RowEdit.after(now, claim.leasePeriod());
        row.wakeReason = row.takeovers > 0 ? WakeReason.CLAIMED : WakeReason.LEASE;
        tables.putRun(row.toRow());
        return new Claimed.Run(row.toRow(), alarm(before), before.wakeReason(), before.status(), before.owner());
    }

    /** Returns the alarm of a row that must have one. */
    static Instant alarm(RunRow row) {
        return Objects.requireNonNull(row.wakeAt());
    }

    @Override
    public synchronized List<CommitOutcome> commit(int shard, List<Commit> batch) {
        MemoryTables tables = change(shard);
        Instant now = now();
        return batch.stream()
                .map(commit -> commit(tables, commit, now, () -> {}))
                .toList();
    }

    /** Applies a commit and adds a user's rows in the same transaction. */
    synchronized CommitOutcome commit(int shard, Commit commit, List<String> rows) {
        return commit(change(shard), commit, now(), () -> rows.forEach(row -> userRows.put(++lastPlace, row)));
    }

    /** @param along stores more in the same transaction, if the commit is applied now */
    private CommitOutcome commit(MemoryTables tables, Commit commit, Instant now, Runnable along) {
        RunRow row = tables.runs.get(commit.runId());
        Fence fence = commit.fence();
        if (row == null || !fitsEpoch(fence.epoch(), epoch())) {
            return new CommitOutcome.Fenced();
        }
        HistoryRow appended = tables.history.get(new MemoryTables.EventKey(row.runId(), fence.nextSeq()));
        boolean fenceHolds = !row.status().isClosed()
                && fenceHolds(row, fence)
                && (commit.append().count() == 0 || isFree(appended));
        if (!fenceHolds) {
            return wasApplied(row, appended, commit)
                    ? new CommitOutcome.Committed(appended == null ? now : appended.at(), row.mail())
                    : new CommitOutcome.Fenced();
        }
        if (!mailHolds(row, fence)) {
            return new CommitOutcome.NewMail(row.mail());
        }
        if (!isReached(Micros.roundUp(fence.notBefore()), now)) {
            return new CommitOutcome.TooEarly(now);
        }
        apply(tables, row, commit, now);
        along.run();
        return new CommitOutcome.Committed(now, row.mail());
    }

    private void apply(MemoryTables tables, RunRow before, Commit commit, Instant now) {
        RowEdit row = new RowEdit(before);
        row.apply(commit.next(), now);
        row.consumed = commit.consumed();
        if (commit.append().count() > 0 && commit.next().isProgress()) {
            row.takeovers = 0;
            row.strikes = 0;
        }
        append(tables, row, before.runId(), commit.fence().nextSeq(), commit.append(), now);
        commit.outbox().forEach(item -> tables.outbox.add(++lastPlace, item));
        write(before, row.toRow(), changed -> tables.putRun(changed));
        List<InboxMessage> consumed = tables.mailBetween(before.workflowId(), before.consumed(), row.consumed);
        keysForgotten(row.toRow(), consumed).forEach(key -> tables.forgetKey(before.workflowId(), key));
    }

    @Override
    public synchronized List<CommitOutcome> append(int shard, List<HistoryAppend> batch) {
        MemoryTables tables = change(shard);
        Instant now = now();
        return batch.stream().map(entry -> append(tables, entry, now)).toList();
    }

    private CommitOutcome append(MemoryTables tables, HistoryAppend entry, Instant now) {
        if (!fitsEpoch(entry.epoch(), epoch())) {
            return new CommitOutcome.Fenced();
        }
        HistoryRow there = tables.history.get(new MemoryTables.EventKey(entry.runId(), entry.seq()));
        if (isFree(there)) {
            append(tables, entry.runId(), entry.seq(), entry.append(), now);
            return new CommitOutcome.Committed(now, CommitOutcome.MAIL_NOT_READ);
        }
        return there != null && wasApplied(there, entry.append())
                ? new CommitOutcome.Committed(there.at(), CommitOutcome.MAIL_NOT_READ)
                : new CommitOutcome.Fenced();
    }

    @Override
    public StoreTransaction begin(int shard) {
        return new MemoryTransaction(this, shard);
    }

    /** Returns the rows committed by users' transactions, in commit order. */
    public synchronized List<String> userRows() {
        return List.copyOf(userRows.rows().values());
    }

    @Override
    public synchronized void note(int shard, List<Note> notes) {
        MemoryTables tables = change(shard);
        notes.stream()
                .filter(note -> run(shard, note.runId())
                        .filter(row -> row.lease() == note.lease())
                        .isPresent())
                .forEach(tables.notes::keep);
    }

    @Override
    public synchronized List<Note> notes(int shard, UUID runId) {
        return shards.get(shard).notes.of(runId);
    }

    @Override
    public synchronized void erase(int shard, List<Note> notes) {
        notes.forEach(change(shard).notes::erase);
    }

    @Override
    public synchronized List<DeliverOutcome> deliver(int shard, List<Delivery> batch, Duration leasePeriod) {
        MemoryTables tables = change(shard);
        Instant now = now();
        return batch.stream()
                .map(delivery -> deliver(tables, delivery, now, leasePeriod))
                .toList();
    }

    private DeliverOutcome deliver(MemoryTables tables, Delivery delivery, Instant now, Duration leasePeriod) {
        if (!fenceHolds(delivery.fence(), epoch(), now)) {
            return new DeliverOutcome.Fenced();
        }
        RunRow before = tables.currentOf(delivery.workflowId()).orElse(null);
        Long known = tables.keys.get(new MemoryTables.DedupKey(delivery.workflowId(), delivery.key()));
        if (before == null) {
            return new DeliverOutcome.NoRun();
        }
        if (known != null) {
            return new DeliverOutcome.Duplicate(known);
        }
        if (!before.status().acceptsMessages()) {
            return new DeliverOutcome.RunClosed(before);
        }
        RowEdit row = new RowEdit(before);
        row.mail++;
        row.wakeAt = alarmAfterDelivery(before, now, leasePeriod);
        row.wakeReason = before.status() == RunStatus.WAITING ? WakeReason.MAIL : before.wakeReason();
        tables.putRun(row.toRow());
        tables.accept(delivery, row.mail, now);
        return new DeliverOutcome.Accepted(now, row.mail, row.toRow(), epoch());
    }

    @Override
    public synchronized Renewed renew(int shard, List<Renewal> renewals, Duration leasePeriod) {
        MemoryTables tables = change(shard);
        Instant now = now();
        Map<UUID, Long> mail = new HashMap<>();
        for (Renewal renewal : renewals) {
            RunRow before = tables.runs.get(renewal.runId());
            if (before != null && isRenewable(before, renewal)) {
                tables.putRun(RowEdit.renewed(before, RowEdit.after(now, leasePeriod)));
                mail.put(before.runId(), before.mail());
            }
        }
        return new Renewed(now, mail);
    }

    @Override
    public synchronized Swept sweep(int shard, Sweep sweep) {
        MemoryTables tables = change(shard);
        Instant now = now();
        NodeRow known = tables.nodes.get(sweep.nodeId());
        Instant startedAt = known == null ? now : known.startedAt();
        tables.nodes.put(sweep.nodeId(), new NodeRow(sweep.nodeId(), sweep.build(), sweep.served(), startedAt, now));
        pages.said(sweep.nodeId(), sweep.state());
        return new Swept(
                now,
                epoch(),
                upSince,
                isOverdue(tables, sweep.lanes(), now),
                ahead(tables, sweep.lanes(), now, sweep.alarms()),
                !tables.outbox.isEmpty(),
                isOverdue(tables, sweep.queueLanes(), now),
                ahead(tables, sweep.queueLanes(), now, sweep.alarms()));
    }

    private static boolean isOverdue(MemoryTables tables, List<String> lanes, Instant now) {
        return tables.byAlarm(lanes).map(RunRow::wakeAt).anyMatch(alarm -> !alarm.isAfter(now));
    }

    private static List<Instant> ahead(MemoryTables tables, List<String> lanes, Instant now, int limit) {
        return tables.byAlarm(lanes)
                .map(RunRow::wakeAt)
                .filter(alarm -> alarm.isAfter(now))
                .limit(limit)
                .toList();
    }

    @Override
    public synchronized void leave(int shard, String nodeId) {
        change(shard).nodes.remove(nodeId);
    }

    @Override
    public synchronized List<NodeRow> nodes(int shard) {
        return shards.get(shard).nodes.rows().values().stream()
                .map(pages::withState)
                .toList();
    }

    @Override
    public PageStore pages() {
        return pages;
    }

    @Override
    public synchronized int wakeStuck(int shard, List<String> lanes, String build) {
        MemoryTables tables = change(shard);
        Instant now = now();
        List<RunRow> stuck = tables.runs.rows().values().stream()
                .filter(row -> row.status() == RunStatus.STUCK && lanes.contains(row.lane()))
                .filter(row -> mayWake(row, build))
                .toList();
        stuck.forEach(row -> tables.putRun(RowEdit.withAlarm(row, now)));
        return stuck.size();
    }

    @Override
    public synchronized int shortenLeases(int shard, List<String> lanes, Duration longest, Duration leasePeriod) {
        MemoryTables tables = change(shard);
        Instant now = now();
        List<RunRow> far = tables.runs.rows().values().stream()
                .filter(row -> row.status() == RunStatus.RUNNING || row.status() == RunStatus.PARKED)
                .filter(row -> lanes.contains(row.lane()) && alarm(row).isAfter(now.plus(longest)))
                .toList();
        far.forEach(row -> tables.putRun(RowEdit.withAlarm(row, now.plus(leasePeriod))));
        return far.size();
    }

    @Override
    public synchronized Optional<RunRow> run(int shard, UUID runId) {
        return Optional.ofNullable(shards.get(shard).runs.get(runId));
    }

    @Override
    public synchronized Optional<RunRow> current(int shard, String workflowId) {
        return shards.get(shard).currentOf(workflowId);
    }

    @Override
    public synchronized List<RunRow> runs(int shard, List<UUID> runIds) {
        return runIds.stream()
                .distinct()
                .flatMap(runId -> run(shard, runId).stream())
                .toList();
    }

    @Override
    public synchronized Optional<HistoryRow> history(int shard, UUID runId, int seq) {
        return histories(shard, List.of(runId)).stream()
                .filter(row -> row.seq() == seq)
                .findFirst();
    }

    @Override
    public synchronized int historyLength(int shard, UUID runId) {
        return histories(shard, List.of(runId)).stream()
                .mapToInt(row -> row.seq() + row.count())
                .max()
                .orElse(0);
    }

    @Override
    public synchronized List<HistoryRow> histories(int shard, List<UUID> runIds) {
        MemoryTables tables = shards.get(shard);
        return runIds.stream()
                .distinct()
                .flatMap(runId -> tables.historyOf(runId).values().stream())
                .toList();
    }

    @Override
    public synchronized List<InboxMessage> mail(int shard, String workflowId, long after, int limit) {
        Stream<InboxMessage> items = shards.get(shard).mailOf(workflowId, after).values().stream();
        return items.limit(limit).toList();
    }

    @Override
    public synchronized RunPage list(int shard, RunFilter filter, Optional<String> page, int limit) {
        return shards.get(shard).list(filter, page, limit);
    }

    @Override
    public synchronized OutboxPage outbox(int shard, Optional<String> page, int limit) {
        return shards.get(shard).outbox.part(page, limit).of(epoch(), now());
    }

    @Override
    public synchronized OutboxPage outgoing(int shard, UUID id) {
        return shards.get(shard).outbox.part(id).of(epoch(), now());
    }

    @Override
    public synchronized void forwarded(int shard, String epoch, List<UUID> ids) {
        MemoryTables tables = change(shard);
        if (fenceHolds(new OutboxFence(epoch, Micros.MAX), epoch(), now())) {
            tables.outbox.remove(ids);
        }
    }

    @Override
    public synchronized Purged purge(int shard, Instant closedBefore, Optional<UUID> after, int limit) {
        return change(shard).purge(closedBefore, after, limit);
    }

    @Override
    public synchronized void ask(int shard, Question question) {
        change(shard).questions.ask(question, now());
    }

    @Override
    public synchronized List<Question> questions(int shard, List<String> lanes, int limit) {
        return shards.get(shard).questions.open(lanes, limit);
    }

    @Override
    public synchronized void reply(int shard, UUID id, byte[] answer) {
        change(shard).questions.reply(id, answer);
    }

    @Override
    public synchronized Optional<byte[]> reply(int shard, UUID id) {
        return shards.get(shard).questions.reply(id);
    }

    @Override
    public synchronized int forget(int shard, List<UUID> ids, Duration age) {
        return change(shard).questions.forget(ids, age, now());
    }

    @Override
    public synchronized void subscribe(int shard, List<Subscription> batch) {
        change(shard).subscriptions.keep(batch, now());
    }

    @Override
    public synchronized void unsubscribe(int shard, List<Subscription> subscriptions) {
        subscriptions.forEach(change(shard).subscriptions::takeBack);
    }

    @Override
    public synchronized List<Subscription> subscriptions(
            int shard, String event, Collection<String> keys, @Nullable Subscription after, int limit) {
        return shards.get(shard).subscriptions.of(event, keys, after, limit, now());
    }

    @Override
    public synchronized void remember(int shard, List<PastEvent> batch, Duration keep) {
        change(shard).pastEvents.keep(batch, keep, now());
    }

    @Override
    public synchronized List<PastEvent> recall(int shard, String event, Duration age, int limit) {
        return shards.get(shard).pastEvents.latest(event, age, limit, now());
    }

    @Override
    public synchronized boolean define(int shard, String name, int version, byte[] body) {
        return change(shard).definitions.define(name, version, body, now());
    }

    @Override
    public synchronized Optional<Definition> definition(int shard, String name, int version) {
        return shards.get(shard).definitions.get(name, version);
    }

    @Override
    public synchronized List<Definition> definitions(int shard, Instant since, @Nullable Definition after, int limit) {
        return shards.get(shard).definitions.since(since, after, limit);
    }

    @Override
    public void notify(List<Notice> told) {
        new ArrayList<>(told).forEach(notices::tell);
    }

    @Override
    public AutoCloseable listen(Consumer<Notice> listener, Runnable gap) {
        return notices.listen(listener, gap);
    }

    @Override
    public void close() {}

    /** Returns the changes of runs' statuses so far, each as the status before and the status after. For tests. */
    public synchronized Set<List<RunStatus>> statusChanges() {
        return shards.stream().flatMap(tables -> tables.changes.stream()).collect(Collectors.toSet());
    }
}
