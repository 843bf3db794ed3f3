package dev.dormouse.internal.engine;

import dev.dormouse.codec.Payload;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.engine.command.AwaitedStart;
import dev.dormouse.internal.engine.command.CompletionTokens;
import dev.dormouse.internal.engine.command.EventPublisher;
import dev.dormouse.internal.engine.command.IdleRuns;
import dev.dormouse.internal.engine.command.UnservedLane;
import dev.dormouse.internal.engine.context.NodeContext;
import dev.dormouse.internal.engine.context.NodeName;
import dev.dormouse.internal.engine.observe.EngineMonitor;
import dev.dormouse.internal.engine.run.LocalRun;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.EventCodec;
import dev.dormouse.internal.history.History;
import dev.dormouse.internal.history.Message;
import dev.dormouse.internal.run.EngineSettings;
import dev.dormouse.internal.run.Lanes;
import dev.dormouse.internal.run.NewRun;
import dev.dormouse.internal.run.OpenStep;
import dev.dormouse.internal.run.QueueLimits;
import dev.dormouse.internal.run.RunCode;
import dev.dormouse.internal.run.StartedRun;
import dev.dormouse.internal.thread.PlaceLoan;
import dev.dormouse.internal.thread.Threads;
import dev.dormouse.store.Store;
import dev.dormouse.store.base.Notice;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.store.base.StoreOutage;
import dev.dormouse.store.event.PastEvent;
import dev.dormouse.store.event.Subscription;
import dev.dormouse.store.page.RunFilter;
import dev.dormouse.store.page.RunPage;
import dev.dormouse.store.run.DeliverOutcome;
import dev.dormouse.store.run.Delivery;
import dev.dormouse.store.run.HistoryRow;
import dev.dormouse.store.run.RunRow;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One node: claims runs from a store and executes them, until it is closed. Several nodes may share a store. All that is
 * random, all threads and all waiting come in from outside. Thread-safe.
 */
public final class Node implements AutoCloseable {
    private final NodeParts parts;
    private final NodeContext context;
    private final AutoCloseable subscription;
    private volatile boolean onlyReads;
    private boolean closed;

    /**
     * Opens a node on a store; the caller keeps the store and closes it after the node.
     *
     * @param code the workflow types that this node can execute
     */
    public Node(
            Store store,
            Threads threads,
            EngineSettings settings,
            RandomGenerator random,
            NodeName name,
            Map<String, RunCode> code) {
        this(store, threads, settings, random, name, code, List.of());
    }

    /** The same, with those who are told what happens. */
    public Node(
            Store store,
            Threads threads,
            EngineSettings settings,
            RandomGenerator random,
            NodeName name,
            Map<String, RunCode> code,
            List<? extends EngineMonitor> monitors) {
        parts = new NodeParts(store, threads, settings, random, name, code, monitors);
        context = parts.context;
        subscription = store.listen(this::hear, this::gap);
    }

    /** Begins to execute runs. */
    public Node open() {
        try {
            parts.lookFirst();
        } catch (RuntimeException problem) {
            parts.closeContext();
            leave();
            throw problem;
        }
        parts.open();
        return this;
    }

    /** Learns what time it is, and executes and changes nothing. */
    public Node openToRead() {
        onlyReads = true;
        long sent = context.threads().nanoTime();
        context.observe(context.store().now(0), sent);
        parts.storeWatch.begin(context.telemetry());
        return this;
    }

    public StartedRun start(NewRun run) {
        checkMayChange();
        return parts.starter.start(run);
    }

    /** Starts a run whose end the caller waits for. */
    public AwaitedStart call(NewRun run) {
        checkMayChange();
        return AwaitedStart.send(context, parts.results, parts.starter, run);
    }

    /** Starts in the caller's transaction. */
    public StartedRun startWithin(Connection connection, NewRun run) {
        checkMayChange();
        return parts.starter.startWithin(connection, run);
    }

    /** Brings an event to the runs that wait for it; see {@link EventPublisher}. */
    public void post(
            PastEvent event,
            Set<String> keys,
            Duration keep,
            Predicate<Subscription> matches,
            Function<Subscription, Message> letter) {
        checkMayChange();
        new EventPublisher(context, parts.sender)
                .post(parts.starter.shard(event.event()), event, keys, keep, matches, letter);
    }

    /** Asks the store until it answers; for a run's own thread. */
    public <T> T persist(Supplier<T> question) {
        return context.persist(question);
    }

    /** Files a run's wait for an event. */
    public void subscribe(Subscription subscription) {
        context.eventWrites(parts.starter.shard(subscription.workflowId())).subscribe(subscription);
    }

    /** Takes a run's wait back. */
    public void unsubscribe(Subscription subscription) {
        context.eventWrites(parts.starter.shard(subscription.workflowId())).unsubscribe(subscription);
    }

    /** Events of a name that came no longer ago than an age, the latest first. */
    public List<PastEvent> recall(String event, Duration age, int limit) {
        return context.store().recall(parts.starter.shard(event), event, age, limit);
    }

    /** An id that nobody has. */
    public String newId() {
        return context.ids().run(now()).toString();
    }

    /** Puts an item into the inbox of a workflow id. */
    public DeliverOutcome deliver(Delivery delivery) {
        checkMayChange();
        return parts.sender.deliver(parts.starter.shard(delivery.workflowId()), delivery);
    }

    /** A future of the run's last event; cancelled when the node closes before. */
    public CompletableFuture<Event> result(String workflowId, UUID runId) {
        checkOpen();
        CompletableFuture<Event> future = parts.results.await(runId);
        if (parts.table.get(runId) == null) {
            completeIfClosed(workflowId, runId, future);
            parts.watchElsewhere(runId, parts.starter.shard(workflowId));
        }
        return future;
    }

    /** The same for a run that another has continued as, and that may not be there yet. */
    public CompletableFuture<Event> resultOfNext(String workflowId, UUID runId) {
        checkOpen();
        if (!context.store().isExclusive()) {
            parts.resultWatch.expect(runId);
        }
        CompletableFuture<Event> future = parts.results.await(runId);
        int shard = parts.starter.shard(workflowId);
        Optional<RunRow> row = context.store().run(shard, runId);
        if (row.isPresent() && row.get().status().isClosed()) {
            parts.results.forget(runId, future);
            future.complete(parts.resultWatch.closingEvent(row.get()));
        } else {
            parts.watchElsewhere(runId, shard);
        }
        return future;
    }

    /** A run that is not in this node's memory may have closed before anybody waited for it. */
    private void completeIfClosed(String workflowId, UUID runId, CompletableFuture<Event> future) {
        boolean waits = false;
        try {
            RunRow row = find(workflowId, runId);
            waits = !row.status().isClosed();
            if (!waits) {
                future.complete(parts.resultWatch.closingEvent(row));
            }
        } finally {
            if (!waits) {
                parts.results.forget(runId, future);
            }
        }
    }

    /** Waits for a future of this node's making. */
    public <T> T join(CompletableFuture<T> future, Duration atMost)
            throws InterruptedException, ExecutionException, TimeoutException {
        return context.threads().join(future, atMost);
    }

    /** Runs code of a user's that is to be told of something, on a thread of its own. */
    public void callBack(Runnable body) {
        context.threads().startCode("callback", body);
    }

    /** Nobody waits for this future any more. */
    public void forget(UUID runId, CompletableFuture<Event> future) {
        parts.results.forget(runId, future);
    }

    /** The notes of a run's start; empty where they cannot be read. */
    public Map<String, String> memo(RunRow row) {
        return started(row).map(Event.RunStarted::memo).orElse(Map.of());
    }

    /** What a run is to its code; see {@link Event.RunStarted#identity}. */
    public UUID identity(RunRow row) {
        return started(row).map(started -> started.identity(row.runId())).orElse(row.runId());
    }

    /** Returns the first event of a run; empty if it is not there or cannot be read. */
    public Optional<Event.RunStarted> started(String workflowId, UUID runId) {
        return started(parts.starter.shard(workflowId), runId);
    }

    private Optional<Event.RunStarted> started(RunRow row) {
        return started(row.shard(), row.runId());
    }

    private Optional<Event.RunStarted> started(int shard, UUID runId) {
        checkOpen();
        try {
            Optional<HistoryRow> first = context.store().history(shard, runId, 0);
            return first.map(
                    part -> (Event.RunStarted) EventCodec.decode(part.payload()).get(0));
        } catch (StoreException noAnswer) {
            throw noAnswer;
        } catch (DormouseException | ClassCastException | IndexOutOfBoundsException damaged) {
            return Optional.empty();
        }
    }

    /** Steps of an open run that have been tried and are not over; none where its history cannot be read. */
    public List<OpenStep> openSteps(RunRow row) {
        checkOpen();
        if (row.status().isClosed()) {
            return List.of();
        }
        try {
            return openSteps(row, history(row));
        } catch (StoreException noAnswer) {
            throw noAnswer;
        } catch (DormouseException damaged) {
            return List.of();
        }
    }

    /** Returns the open steps of a run whose history was read before; none if that is empty, or for a closed run. */
    public List<OpenStep> openSteps(RunRow row, List<Event> events) {
        checkOpen();
        if (row.status().isClosed() || events.isEmpty()) {
            return List.of();
        }
        try {
            return OpenStep.of(events, context.store().notes(row.shard(), row.runId()), now());
        } catch (StoreException noAnswer) {
            throw noAnswer;
        } catch (DormouseException damaged) {
            return List.of();
        }
    }

    public Optional<RunRow> current(String workflowId) {
        checkOpen();
        return context.store().current(parts.starter.shard(workflowId), workflowId);
    }

    public RunRow find(String workflowId, UUID runId) {
        checkOpen();
        return context.find(parts.starter.shard(workflowId), workflowId, runId);
    }

    /** The events of a run, checked. */
    public List<Event> history(String workflowId, UUID runId) {
        return history(find(workflowId, runId));
    }

    /** Returns the events of a run up to its row, checked. */
    public List<Event> history(RunRow row) {
        checkOpen();
        return History.read(row, context.store().histories(row.shard(), List.of(row.runId())));
    }

    /** Returns the rows of several runs of one shard, in no particular order. Unknown ids are left out. */
    public List<RunRow> rows(int shard, List<UUID> runIds) {
        checkOpen();
        return context.store().runs(shard, runIds);
    }

    public RunPage list(int shard, RunFilter filter, Optional<String> page, int limit) {
        checkOpen();
        return context.store().list(shard, filter, page, limit);
    }

    /** Closes a run at once, wherever it is; false when it was closed already. */
    public boolean terminate(String workflowId, UUID runId, String reason) {
        checkMayChange();
        return parts.terminator.terminate(parts.starter.shard(workflowId), workflowId, runId, reason);
    }

    /** Executes runs of one more type from now on; false where there is code for it already. */
    public boolean serve(String type, RunCode code) {
        checkMayChange();
        boolean isNew = parts.served.add(type, code);
        if (isNew) {
            parts.queues.served();
            parts.alarms.served();
        }
        return isNew;
    }

    /** Returns what is due and no living node executes, one for each workflow type and queue. */
    public List<UnservedLane> unserved() {
        checkOpen();
        return IntStream.range(0, context.store().shards())
                .mapToObj(parts.unserved::all)
                .flatMap(List::stream)
                .toList();
    }

    /** Returns what holds a run up: the trouble of a stuck one, or that no living node executes it; otherwise empty. */
    public String trouble(RunRow row) {
        return row.trouble().isEmpty() && !row.status().isClosed()
                ? parts.unserved.of(row).map(UnservedLane::text).orElse("")
                : row.trouble();
    }

    /** Whether it takes no calls any more. */
    public boolean isClosed() {
        return context.isClosed();
    }

    /** Serves a queue from now on, or with other limits than before; one that closes need not. */
    public void serveQueue(String queue, QueueLimits limits) {
        parts.queues.serve(queue, limits);
        parts.startQueues();
        parts.alarms.served();
    }

    /** Has this run on a thread of its own after each look for what the node may have missed. */
    public void onSweep(Runnable task) {
        parts.alarms.onSweep(task);
    }

    /**
     * Lets a run begin at another instant; false where there is none of this type, or it has begun.
     *
     * @param connection of a transaction in which to do that, null for none
     */
    public boolean setAlarm(@Nullable Connection connection, String workflowId, String type, Instant at) {
        checkMayChange();
        return parts.idle.setAlarm(
                new IdleRuns.Target(parts.starter.shard(workflowId), workflowId, type, connection), at);
    }

    /**
     * Cancels a run that no node executes, without a word to its code; true where it is cancelled, also if it was before.
     *
     * @param connection of a transaction in which to do that, null for none
     */
    public boolean cancelIdle(@Nullable Connection connection, String workflowId, String type, String reason) {
        checkMayChange();
        return parts.idle.cancel(
                new IdleRuns.Target(parts.starter.shard(workflowId), workflowId, type, connection), reason);
    }

    /** The run of a workflow id, as a transaction sees it. */
    public Optional<RunRow> currentWithin(Connection connection, String workflowId) {
        checkOpen();
        return context.store().currentWithin(connection, parts.starter.shard(workflowId), workflowId);
    }

    /** Tries again what has failed or is stuck; returns the run that does. */
    public UUID retry(String workflowId, UUID runId) {
        checkMayChange();
        return parts.resetter.retry(parts.starter.shard(workflowId), workflowId, runId);
    }

    /** Goes on from an earlier point of a run's history; returns the run that does. */
    public UUID reset(String workflowId, UUID runId, int events) {
        checkMayChange();
        return parts.resetter.reset(parts.starter.shard(workflowId), workflowId, runId, events);
    }

    /** Tells a workflow's open run something, once for each key; returns that run, null where it was told before. */
    public @Nullable UUID signal(String workflowId, String key, Message.Signal signal) {
        checkMayChange();
        return parts.sender.deliverToRun(parts.starter.shard(workflowId), workflowId, signalKey(key), signal);
    }

    /** Tells a run that it was started again, with this input. */
    public void startAgain(String workflowId, List<Payload> input) {
        checkMayChange();
        String key = newId();
        parts.sender.deliverOrFail(parts.starter.shard(workflowId), workflowId, key, new Message.StartedAgain(input));
    }

    /** Says what a step came to that was handed out; fails when nobody waits for it. */
    public void endStep(String workflowId, Message.StepEnded end) {
        checkMayChange();
        RunRow current = current(workflowId).orElseThrow(CompletionTokens::unknown);
        CompletionTokens.check(current, history(workflowId, current.runId()), end);
        try {
            parts.sender.deliverFirst(
                    parts.starter.shard(workflowId), workflowId, "step " + end.token(), end, CompletionTokens::used);
        } catch (DormouseException refused) {
            throw refused.code() == ErrorCode.RUN_CLOSED
                    ? CompletionTokens.used()
                    : refused; // it was open a moment ago
        }
    }

    /** Asks this run to come to an end by itself. */
    public void cancel(String workflowId, UUID runId, String reason) {
        checkMayChange();
        int shard = parts.starter.shard(workflowId);
        RunRow row = find(workflowId, runId);
        if (parts.terminator.cancelBeforeItBegins(row, reason)) {
            return;
        }
        UUID chain = context.started(row).chain(runId);
        parts.sender.deliverOrFail(shard, workflowId, "cancel " + chain, new Message.Cancel(chain, reason));
    }

    /** Asks a workflow's run for something and waits for the answer, which is the same for the same key. */
    public Event.UpdateAnswered update(String workflowId, String key, Message.Update update, Duration atMost) {
        checkMayChange();
        try (PlaceLoan loan = PlaceLoan.begin()) {
            return parts.updates.ask(parts.starter.shard(workflowId), workflowId, key, update, atMost);
        }
    }

    /** Keys of signals and ids of updates have nothing to do with each other. */
    public static String signalKey(String key) {
        return "signal " + key;
    }

    /** Returns true if this node has the code of a type. */
    public boolean hasCode(String type) {
        return parts.served.code(type) != null;
    }

    /** Asks a run's code a question that changes nothing. */
    public Payload query(String workflowId, UUID runId, String name, List<Payload> arguments, Duration atMost) {
        RunRow row = find(workflowId, runId);
        checkMayAsk(row);
        return parts.queries.ask(row, name, arguments, atMost);
    }

    /** Queries a run whose history was read before, which is not read again if the code is here. */
    public Payload query(RunRow row, List<Event> events, String name, List<Payload> arguments, Duration atMost) {
        checkOpen();
        checkMayAsk(row);
        return parts.queries.ask(row, events, name, arguments, atMost);
    }

    private void checkMayAsk(RunRow row) {
        if (parts.served.code(row.type()) == null && !context.store().isExclusive()) {
            checkMayChange(); // the question is stored for other nodes
        }
    }

    /** The store's clock, as closely as this node knows it. */
    public Instant now() {
        return context.clock().latest();
    }

    /** Returns the outages of the store that last, as far as this node knows. */
    public List<StoreOutage> outages() {
        return parts.storeWatch.outages();
    }

    /** A node that was not seen for so long counts as dead. */
    public Duration timeout() {
        return context.nodeTimeout();
    }

    /** Returns how long after its deadline a run that waits in memory is left to its node. */
    public Duration parkGrace() {
        return context.settings().parkGrace();
    }

    private void hear(Notice notice) {
        if (notice instanceof Notice.AlarmSet set) {
            if (!Lanes.queueOf(set.lane()).isEmpty()) {
                parts.queues.hear(set.lane(), set.at());
            } else if (parts.served.lanes().contains(set.lane())) {
                parts.alarms.hear(set.at());
            }
        } else if (notice instanceof Notice.MailArrived arrived
                && arrived.owner().equals(context.nodeId())) {
            LocalRun run = parts.table.get(arrived.runId());
            if (run != null) {
                run.look();
            }
        } else if (notice instanceof Notice.OutboxFilled) {
            parts.outboxFilled();
        } else if (notice instanceof Notice.Asked asked) {
            parts.remoteQueries.asked(asked.lane());
        } else if (notice instanceof Notice.Replied replied) {
            parts.queries.replied(replied.question());
        } else if (notice instanceof Notice.Watched watched) {
            parts.watchers.add(watched.runId());
        } else if (notice instanceof Notice.Closed closed) {
            parts.resultWatch.wake();
            parts.answers.look(closed.runId());
        } else if (notice instanceof Notice.LeaseLost lost && lost.owner().equals(context.nodeId())) {
            LocalRun run = parts.table.get(lost.runId());
            if (run != null) {
                parts.renewals.doubt(run);
            }
        }
    }

    /** The store's messages were not heard for a while; whether it was away is found out by asking it. */
    private void gap() {
        context.guard().stalled();
        parts.alarms.sweepNow();
        context.contact().renewNow();
        parts.table.all(run -> true).forEach(LocalRun::look);
    }

    /** Refuses on a node that is closed, or that only reads. */
    public void checkMayChange() {
        checkOpen();
        if (onlyReads) {
            throw new DormouseException(
                    ErrorCode.READ_ONLY,
                    "Expected a Dormouse that may change something, but it was opened with readOnly(). Open it without.");
        }
    }

    private void checkOpen() {
        if (context.isClosed()) {
            throw new DormouseException(
                    ErrorCode.DORMOUSE_CLOSED, "Expected an open Dormouse, but it is closed. Open another one.");
        }
    }

    /** Gives running code time to come to a pause, then gives up all leases at once, so that others go on. */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        if (onlyReads) {
            parts.closeContext();
            closeSubscription();
            return;
        }
        parts.close();
        leave();
    }

    private void leave() {
        try {
            for (int shard = 0; shard < context.store().shards(); shard++) {
                context.store().leave(shard, context.nodeId());
            }
        } catch (RuntimeException gone) {
            // the node is forgotten when it is not seen for a while
        }
        closeSubscription();
    }

    private void closeSubscription() {
        try {
            subscription.close();
        } catch (Exception gone) {
            // nobody listens any more
        }
    }
}
