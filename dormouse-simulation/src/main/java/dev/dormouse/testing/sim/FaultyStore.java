package dev.dormouse.testing.sim;

import dev.dormouse.inspect.StoreProfile;
import dev.dormouse.internal.thread.Gate;
import dev.dormouse.store.Store;
import dev.dormouse.store.StoreTransaction;
import dev.dormouse.store.base.Definition;
import dev.dormouse.store.base.NodeRow;
import dev.dormouse.store.base.Notice;
import dev.dormouse.store.base.StoreException;
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
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One node's connection to the simulated database. Each call has three steps: the request travels to the database; the
 * world executes it, even if the node has died in the meantime; the answer travels back. {@link CallOutcome} decides
 * which step fails. Needs no locks, because one simulated thread runs at a time.
 */
public final class FaultyStore implements Store {
    private final SimWorld world;
    private final SimDatabase database;
    private final SimNode node;
    private final List<SimListener> listeners = new ArrayList<>();
    private FaultProfile profile;

    FaultyStore(SimWorld world, SimDatabase database, SimNode node, FaultProfile profile) {
        this.world = world;
        this.database = database;
        this.node = node;
        this.profile = profile;
    }

    /** Replaces the fault profile from now on. */
    public void behave(FaultProfile other) {
        profile = other;
    }

    <T> T ask(String what, Function<Store, T> question) {
        return world.scheduler().inside(() -> askInside(what, question));
    }

    private <T> T askInside(String what, Function<Store, T> question) {
        world.scheduler().dieIfDead();
        node.checkAlive();
        CallOutcome fate = CallOutcome.of(profile, world.random());
        world.note(node, fate.kind() == CallOutcome.Kind.ANSWERED ? what : what + " " + fate.kind());
        if (fate.kind() == CallOutcome.Kind.CRASH_BEFORE) {
            node.kill();
            world.scheduler().dieIfDead();
        }
        Call<T> call = new Call<>(fate, question);
        call.send();
        return call.answer();
    }

    /** A request on its way and its answer. */
    private final class Call<T> {
        private final CallOutcome fate;
        private final Function<Store, T> question;
        private final int sentTo = database.incarnation();
        private final Gate answered = node.threads().newGate();
        private Supplier<T> answer = () -> {
            throw SimDatabase.brokenConnection();
        };

        Call(CallOutcome fate, Function<Store, T> question) {
            this.fate = fate;
            this.question = question;
        }

        void send() {
            Duration until = fate.there();
            if (fate.kind() == CallOutcome.Kind.LATE) {
                until = until.plus(fate.back()).plus(CallOutcome.upTo(profile.longest(), world.random()));
                world.after(fate.there().plus(fate.back()), answered::open);
            }
            if (fate.kind() == CallOutcome.Kind.REQUEST_LOST) {
                world.after(until.plus(fate.back()), answered::open);
            } else {
                world.after(until, this::execute);
            }
        }

        private void execute() {
            Supplier<T> result = result();
            if (fate.kind() == CallOutcome.Kind.CRASH_AFTER) {
                node.kill();
            }
            if (fate.kind() == CallOutcome.Kind.ANSWERED) {
                answer = result;
            }
            world.after(fate.back(), answered::open);
        }

        private Supplier<T> result() {
            try {
                database.checkReachable(sentTo);
                T result = world.onBehalfOf(node, () -> question.apply(database.store()));
                return () -> result;
            } catch (StoreException failed) {
                return () -> {
                    throw failed;
                };
            }
        }

        T answer() {
            answered.pass();
            return answer.get();
        }
    }

    /**
     * Sends a batch. Randomly reports some entries as locked. If the call fails, the outcome of every entry is unknown.
     */
    private <E, O> List<O> askAll(
            String what, List<E> batch, Function<List<E>, List<O>> ask, O locked, Function<StoreException, O> unknown) {
        List<Boolean> isLocked = batch.stream()
                .map(entry -> world.random().nextDouble() < profile.locked())
                .toList();
        try {
            return ask(what + " " + batch.size(), store -> {
                List<E> free = new ArrayList<>(batch);
                for (int i = batch.size() - 1; i >= 0; i--) {
                    if (isLocked.get(i)) {
                        free.remove(i);
                    }
                }
                List<O> outcomes = new ArrayList<>(ask.apply(free));
                for (int i = 0; i < batch.size(); i++) {
                    if (isLocked.get(i)) {
                        outcomes.add(i, locked);
                    }
                }
                return outcomes;
            });
        } catch (StoreException failed) {
            return batch.stream().map(entry -> unknown.apply(failed)).toList();
        }
    }

    @Override
    public int shards() {
        return database.store().shards();
    }

    @Override
    public boolean isExclusive() {
        return database.store().isExclusive();
    }

    @Override
    public StoreProfile about() {
        return database.store().about();
    }

    @Override
    public List<StartOutcome> start(int shard, List<Start> batch) {
        return askAll(
                "start",
                List.copyOf(batch),
                entries -> database.store().start(shard, entries),
                new StartOutcome.Locked(),
                StartOutcome.Unknown::new);
    }

    @Override
    public StartOutcome startWithin(Connection connection, int shard, Start start) {
        return database.store().startWithin(connection, shard, start);
    }

    @Override
    public Optional<RunRow> currentWithin(Connection connection, int shard, String workflowId) {
        return database.store().currentWithin(connection, shard, workflowId);
    }

    @Override
    public CommitOutcome commitWithin(Connection connection, int shard, String lane, Commit commit) {
        return database.store().commitWithin(connection, shard, lane, commit);
    }

    @Override
    public Claimed claim(int shard, Claim claim) {
        return ask("claim", store -> store.claim(shard, claim));
    }

    @Override
    public QueueClaimed claimQueued(int shard, QueueClaim claim) {
        return ask("claim of queue " + claim.queue(), store -> store.claimQueued(shard, claim));
    }

    @Override
    public List<CommitOutcome> commit(int shard, List<Commit> batch) {
        return askAll(
                "commit",
                List.copyOf(batch),
                entries -> database.store().commit(shard, entries),
                new CommitOutcome.Locked(),
                CommitOutcome.Unknown::new);
    }

    @Override
    public List<CommitOutcome> append(int shard, List<HistoryAppend> batch) {
        return askAll(
                "append",
                List.copyOf(batch),
                entries -> database.store().append(shard, entries),
                new CommitOutcome.Locked(),
                CommitOutcome.Unknown::new);
    }

    /** A transaction is lost with the server on which it was begun. */
    @Override
    public StoreTransaction begin(int shard) {
        return ask("begin", store -> {
            int begunOn = database.incarnation();
            StoreTransaction real = store.begin(shard);
            return new FaultyTransaction(real, commit -> commit(real, begunOn, commit));
        });
    }

    private CommitOutcome commit(StoreTransaction transaction, int begunOn, Commit commit) {
        return askAll(
                        "commit in a transaction",
                        List.of(commit),
                        entries -> {
                            database.checkReachable(begunOn);
                            return entries.stream().map(transaction::commit).toList();
                        },
                        new CommitOutcome.Locked(),
                        CommitOutcome.Unknown::new)
                .get(0);
    }

    @Override
    public void note(int shard, List<Note> notes) {
        List<Note> copy = List.copyOf(notes);
        ask("note " + copy.size(), store -> {
            store.note(shard, copy);
            return true;
        });
    }

    @Override
    public List<Note> notes(int shard, UUID runId) {
        return ask("notes", store -> store.notes(shard, runId));
    }

    @Override
    public void erase(int shard, List<Note> notes) {
        List<Note> copy = List.copyOf(notes);
        ask("erase " + copy.size(), store -> {
            store.erase(shard, copy);
            return true;
        });
    }

    @Override
    public List<DeliverOutcome> deliver(int shard, List<Delivery> batch, Duration leasePeriod) {
        return askAll(
                "deliver",
                List.copyOf(batch),
                entries -> database.store().deliver(shard, entries, leasePeriod),
                new DeliverOutcome.Locked(),
                DeliverOutcome.Unknown::new);
    }

    @Override
    public Renewed renew(int shard, List<Renewal> renewals, Duration leasePeriod) {
        List<Renewal> copy = List.copyOf(renewals);
        return ask("renew " + copy.size(), store -> store.renew(shard, copy, leasePeriod));
    }

    @Override
    public Swept sweep(int shard, Sweep sweep) {
        return ask("sweep", store -> store.sweep(shard, sweep));
    }

    @Override
    public void leave(int shard, String nodeId) {
        ask("leave", store -> {
            store.leave(shard, nodeId);
            return true;
        });
    }

    @Override
    public PageStore pages() {
        return new FaultyPages(this);
    }

    @Override
    public List<NodeRow> nodes(int shard) {
        return ask("nodes", store -> store.nodes(shard));
    }

    @Override
    public int wakeStuck(int shard, List<String> lanes, String build) {
        return ask("knock", store -> store.wakeStuck(shard, lanes, build));
    }

    @Override
    public int shortenLeases(int shard, List<String> lanes, Duration longest, Duration leasePeriod) {
        return ask("shortenLeases", store -> store.shortenLeases(shard, lanes, longest, leasePeriod));
    }

    @Override
    public Optional<RunRow> run(int shard, UUID runId) {
        return ask("run", store -> store.run(shard, runId));
    }

    @Override
    public Instant now(int shard) {
        return ask("now", store -> store.now(shard));
    }

    @Override
    public Optional<RunRow> current(int shard, String workflowId) {
        return ask("current", store -> store.current(shard, workflowId));
    }

    @Override
    public List<RunRow> runs(int shard, List<UUID> runIds) {
        List<UUID> copy = List.copyOf(runIds);
        return ask("runs", store -> store.runs(shard, copy));
    }

    @Override
    public Optional<HistoryRow> history(int shard, UUID runId, int seq) {
        return ask("history", store -> store.history(shard, runId, seq));
    }

    @Override
    public int historyLength(int shard, UUID runId) {
        return ask("historyLength", store -> store.historyLength(shard, runId));
    }

    @Override
    public List<HistoryRow> histories(int shard, List<UUID> runIds) {
        List<UUID> copy = List.copyOf(runIds);
        return ask("histories", store -> store.histories(shard, copy));
    }

    @Override
    public List<InboxMessage> mail(int shard, String workflowId, long after, int limit) {
        return ask("mail", store -> store.mail(shard, workflowId, after, limit));
    }

    @Override
    public RunPage list(int shard, RunFilter filter, Optional<String> page, int limit) {
        return ask("list", store -> store.list(shard, filter, page, limit));
    }

    @Override
    public OutboxPage outbox(int shard, Optional<String> page, int limit) {
        return ask("outbox", store -> store.outbox(shard, page, limit));
    }

    @Override
    public OutboxPage outgoing(int shard, UUID id) {
        return ask("outgoing", store -> store.outgoing(shard, id));
    }

    @Override
    public void forwarded(int shard, String epoch, List<UUID> ids) {
        List<UUID> copy = List.copyOf(ids);
        ask("forwarded", store -> {
            store.forwarded(shard, epoch, copy);
            return true;
        });
    }

    @Override
    public Purged purge(int shard, Instant closedBefore, Optional<UUID> after, int limit) {
        return ask("purge", store -> store.purge(shard, closedBefore, after, limit));
    }

    @Override
    public void ask(int shard, Question question) {
        ask("ask", store -> {
            store.ask(shard, question);
            return true;
        });
    }

    @Override
    public List<Question> questions(int shard, List<String> lanes, int limit) {
        List<String> copy = List.copyOf(lanes);
        return ask("questions", store -> store.questions(shard, copy, limit));
    }

    @Override
    public void reply(int shard, UUID id, byte[] answer) {
        ask("reply", store -> {
            store.reply(shard, id, answer);
            return true;
        });
    }

    @Override
    public Optional<byte[]> reply(int shard, UUID id) {
        return ask("read reply", store -> store.reply(shard, id));
    }

    @Override
    public int forget(int shard, List<UUID> ids, Duration age) {
        List<UUID> copy = List.copyOf(ids);
        return ask("forget", store -> store.forget(shard, copy, age));
    }

    @Override
    public void subscribe(int shard, List<Subscription> batch) {
        List<Subscription> copy = List.copyOf(batch);
        ask("subscribe " + copy.size(), store -> {
            store.subscribe(shard, copy);
            return true;
        });
    }

    @Override
    public void unsubscribe(int shard, List<Subscription> subscriptions) {
        List<Subscription> copy = List.copyOf(subscriptions);
        ask("unsubscribe " + copy.size(), store -> {
            store.unsubscribe(shard, copy);
            return true;
        });
    }

    @Override
    public List<Subscription> subscriptions(
            int shard, String event, Collection<String> keys, @Nullable Subscription after, int limit) {
        List<String> copy = List.copyOf(keys);
        return ask("subscriptions", store -> store.subscriptions(shard, event, copy, after, limit));
    }

    @Override
    public void remember(int shard, List<PastEvent> batch, Duration keep) {
        List<PastEvent> copy = List.copyOf(batch);
        ask("remember " + copy.size(), store -> {
            store.remember(shard, copy, keep);
            return true;
        });
    }

    @Override
    public List<PastEvent> recall(int shard, String event, Duration age, int limit) {
        return ask("recall", store -> store.recall(shard, event, age, limit));
    }

    @Override
    public boolean define(int shard, String name, int version, byte[] body) {
        return ask("define", store -> store.define(shard, name, version, body));
    }

    @Override
    public Optional<Definition> definition(int shard, String name, int version) {
        return ask("definition", store -> store.definition(shard, name, version));
    }

    @Override
    public List<Definition> definitions(int shard, Instant since, @Nullable Definition after, int limit) {
        return ask("definitions", store -> store.definitions(shard, since, after, limit));
    }

    @Override
    public void notify(List<Notice> notices) {
        List<Notice> copy = List.copyOf(notices);
        try {
            ask("notify " + copy.size(), store -> {
                copy.forEach(notice -> database.tell(this, notice));
                return true;
            });
        } catch (StoreException lost) {
            world.note(node, "notices may be lost");
        }
    }

    /** Delivers a notice to this node once, twice or never. */
    void overhear(Notice notice) {
        if (world.random().nextDouble() < profile.lostNotice()) {
            return;
        }
        arriveLater(notice);
        if (world.random().nextDouble() < profile.doubledNotice()) {
            arriveLater(notice);
        }
    }

    private void arriveLater(Notice notice) {
        Duration delay = CallOutcome.upTo(profile.noticeDelay(), world.random());
        world.after(delay, () -> listeners.forEach(listener -> listener.hear(notice)));
    }

    /** Called when the connection was replaced. */
    void gap() {
        listeners.forEach(SimListener::gap);
    }

    @Override
    public AutoCloseable listen(Consumer<Notice> listener, Runnable gap) {
        SimListener listening = new SimListener(node.threads(), listener, gap);
        listeners.add(listening);
        return () -> {
            listeners.remove(listening);
            listening.close();
        };
    }

    @Override
    public void close() {
        List.copyOf(listeners).forEach(SimListener::close);
        listeners.clear();
        database.forget(this);
    }
}
