package dev.dormouse.internal.engine;

import dev.dormouse.codec.Payload;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.Monitor;
import dev.dormouse.inspect.StoreOutage;
import dev.dormouse.internal.engine.command.AwaitedStart;
import dev.dormouse.internal.engine.command.CompletionTokens;
import dev.dormouse.internal.engine.command.EventPublisher;
import dev.dormouse.internal.engine.command.IdleRuns;
import dev.dormouse.internal.engine.command.SentStart;
import dev.dormouse.internal.engine.command.UnservedLane;
import dev.dormouse.internal.engine.command.UpdateCalls;
import dev.dormouse.internal.engine.context.NodeContext;
import dev.dormouse.internal.engine.context.NodeName;
import dev.dormouse.internal.engine.run.LocalRun;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.EventCodec;
import dev.dormouse.internal.history.History;
import dev.dormouse.internal.history.Message;
import dev.dormouse.internal.history.MessageCodec;
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
import dev.dormouse.store.event.PastEvent;
import dev.dormouse.store.event.Subscription;
import dev.dormouse.store.page.RunFilter;
import dev.dormouse.store.page.RunPage;
import dev.dormouse.store.run.DeliverOutcome;
import dev.dormouse.store.run.Delivery;
import dev.dormouse.store.run.HistoryRow;
import dev.dormouse.store.run.InboxMessage;
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
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A node: claims runs from a store and executes them until it is closed. Several nodes may share a store. Randomness,
 * threads and waiting are constructor arguments.
 *
 * <p>Thread-safe: any thread may call any method once the node is open. Commands after {@link #close} throw
 * DORMOUSE_CLOSED. Notices of the store arrive on a thread of the store and only wake loops and runs. They are hints: a
 * lost notice delays work until the next sweep, and a false one costs a query.
 */
public final class Node implements AutoCloseable {
    private final NodeParts parts;
    private final NodeContext context;
    private final AutoCloseable subscription;
    private volatile boolean onlyReads;
    private boolean closed;

    /**
     * Creates a node on a store. The caller keeps the store and closes it after the node.
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

    /**
     * Creates a node on a store, with monitors that observe it. The caller keeps the store and closes it after the
     * node.
     *
     * @param code the workflow types that this node can execute
     * @param monitors notified of everything that happens on this node
     */
    public Node(
            Store store,
            Threads threads,
            EngineSettings settings,
            RandomGenerator random,
            NodeName name,
            Map<String, RunCode> code,
            List<? extends Monitor> monitors) {
        parts = new NodeParts(store, threads, settings, random, name, code, monitors);
        context = parts.context;
        subscription = store.listen(this::onNotice, this::onNoticeGap);
    }

    /**
     * Starts to execute runs. Returns this node.
     *
     * @throws RuntimeException if the store could not be read; the node is closed then
     */
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

    /** Opens the node for reading: it reads the store's clock, and executes and changes nothing. Returns this node. */
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

    /** Starts a run and begins to wait for its end. */
    public AwaitedStart call(NewRun run) {
        checkMayChange();
        return AwaitedStart.send(context, parts.results, parts.starter, run);
    }

    /** Sends a start without waiting for its outcome. The caller settles it on a thread that may call the store. */
    public SentStart send(NewRun run) {
        checkMayChange();
        return SentStart.send(context, parts.timer, parts.starter, run, sent -> {});
    }

    /**
     * Starts a run without waiting for it.
     *
     * @param then converts the started run, on a thread of its own
     */
    public <T> CompletableFuture<T> startAsync(NewRun run, Function<StartedRun, T> then) {
        checkMayChange();
        CompletableFuture<T> future = new CompletableFuture<>();
        SentStart.send(
                context,
                parts.timer,
                parts.starter,
                run,
                sent -> callBackOrHere(() -> complete(future, () -> then.apply(sent.settle()))));
        return future;
    }

    /** Starts a run in the caller's transaction. */
    public StartedRun startWithin(Connection connection, NewRun run) {
        checkMayChange();
        return parts.starter.startWithin(connection, run);
    }

    /** Delivers an event to the runs that wait for it; see {@link EventPublisher}. */
    public void post(
            PastEvent event,
            Set<String> keys,
            Duration keep,
            Predicate<Subscription> matches,
            Function<Subscription, Message> messageTo) {
        checkMayChange();
        new EventPublisher(context, parts.sender)
                .post(parts.starter.shard(event.event()), event, keys, keep, matches, messageTo);
    }

    /** Calls the store until it answers. For the thread of a run. */
    public <T> T persist(Supplier<T> question) {
        return context.persist(question);
    }

    /** Stores a run's subscription to an event. */
    public void subscribe(Subscription subscription) {
        context.eventWrites(parts.starter.shard(subscription.workflowId())).subscribe(subscription);
    }

    /** Removes a run's subscription to an event. */
    public void unsubscribe(Subscription subscription) {
        context.eventWrites(parts.starter.shard(subscription.workflowId())).unsubscribe(subscription);
    }

    /**
     * Returns at most {@code limit} events named {@code event} that are not older than {@code age}, the latest first.
     */
    public List<PastEvent> recall(String event, Duration age, int limit) {
        return context.store().recall(parts.starter.shard(event), event, age, limit);
    }

    /** Returns a new unique id. */
    public String newId() {
        return context.ids().run(now()).toString();
    }

    /** Puts an item into the inbox of a workflow id. */
    public DeliverOutcome deliver(Delivery delivery) {
        checkMayChange();
        return parts.sender.deliver(parts.starter.shard(delivery.workflowId()), delivery);
    }

    /** Returns a future of the run's last event. It is cancelled if the node closes before that. */
    public CompletableFuture<Event> result(String workflowId, UUID runId) {
        checkOpen();
        CompletableFuture<Event> future = parts.results.await(runId);
        if (parts.table.get(runId) == null) {
            completeIfClosed(workflowId, runId, future);
            parts.watchElsewhere(runId, parts.starter.shard(workflowId));
        }
        return future;
    }

    /** Returns a future of the last event of the run that continues another one. That run may not exist yet. */
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

    /**
     * Completes the future if the run has closed already. A run outside this node's memory may have closed before the
     * caller began to wait.
     */
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

    /** Waits for a future that this node has created. */
    public <T> T join(CompletableFuture<T> future, Duration atMost)
            throws InterruptedException, ExecutionException, TimeoutException {
        return context.threads().join(future, atMost);
    }

    /** Runs a callback of the user on a new thread. */
    public void callBack(Runnable body) {
        context.threads().startCode("callback", body);
    }

    /** Drops a future for which no caller waits any longer. */
    public void forget(UUID runId, CompletableFuture<Event> future) {
        parts.results.forget(runId, future);
    }

    /** Returns the memo of a run; empty if its start cannot be read. */
    public Map<String, String> memo(RunRow row) {
        return started(row).map(Event.RunStarted::memo).orElse(Map.of());
    }

    /** Returns the identity under which a run's code knows it; see {@link Event.RunStarted#identity}. */
    public UUID identity(RunRow row) {
        return started(row).map(started -> started.identity(row.runId())).orElse(row.runId());
    }

    /** Returns the first event of a run; empty if the run does not exist or its first event cannot be read. */
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

    /** Returns the number of events of a run, those included that it has appended since its row was changed. */
    public int historyLength(RunRow row) {
        checkOpen();
        return History.mayBeAhead(row)
                ? Math.max(row.nextSeq(), context.store().historyLength(row.shard(), row.runId()))
                : row.nextSeq();
    }

    /** Returns the steps of an open run that were tried and have not ended; none if its history cannot be read. */
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

    /**
     * Returns the steps that were tried and have not ended, from a history that was read before. Returns none for an
     * empty history or a closed run.
     */
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

    /** Returns the events of a run after checking its history. */
    public List<Event> history(String workflowId, UUID runId) {
        return history(find(workflowId, runId));
    }

    /** Returns the events of a run up to the state of {@code row}, after checking its history. */
    public List<Event> history(RunRow row) {
        checkOpen();
        return History.read(row, context.store().histories(row.shard(), List.of(row.runId())));
    }

    /** Returns the rows of several runs of one shard, in no particular order. Unknown ids are omitted. */
    public List<RunRow> rows(int shard, List<UUID> runIds) {
        checkOpen();
        return context.store().runs(shard, runIds);
    }

    public RunPage list(int shard, RunFilter filter, Optional<String> page, int limit) {
        checkOpen();
        return context.store().list(shard, filter, page, limit);
    }

    /** Closes a run at once, on whichever node it is. Returns false if it was closed before. */
    public boolean terminate(String workflowId, UUID runId, String reason) {
        checkMayChange();
        return parts.terminator.terminate(parts.starter.shard(workflowId), workflowId, runId, reason);
    }

    /**
     * Adds the code of a type, so that this node executes its runs. Returns false if this node has code for it already.
     */
    public boolean serve(String type, RunCode code) {
        checkMayChange();
        boolean isNew = parts.served.add(type, code);
        if (isNew) {
            parts.queues.served();
            parts.alarms.served();
        }
        return isNew;
    }

    /** Returns the lanes that have due runs which no living node executes, one for each workflow type and queue. */
    public List<UnservedLane> unserved() {
        checkOpen();
        return IntStream.range(0, context.store().shards())
                .mapToObj(parts.unserved::all)
                .flatMap(List::stream)
                .toList();
    }

    /**
     * Returns the reason why a run makes no progress: the trouble of a stuck run, or that no living node executes it.
     * Returns an empty text if there is none.
     */
    public String trouble(RunRow row) {
        return row.trouble().isEmpty() && !row.status().isClosed()
                ? parts.unserved.of(row).map(UnservedLane::text).orElse("")
                : row.trouble();
    }

    /** Returns true if this node accepts no calls any more. */
    public boolean isClosed() {
        return context.isClosed();
    }

    /** Serves a queue from now on, or changes its limits. Does not check whether the node is closing. */
    public void serveQueue(String queue, QueueLimits limits) {
        parts.queues.serve(queue, limits);
        parts.startQueues();
        parts.alarms.served();
    }

    /** Registers a task that runs on a thread of its own after each sweep. */
    public void onSweep(Runnable task) {
        parts.alarms.onSweep(task);
    }

    /**
     * Moves the start of a run to another instant. Returns false if there is no run of this type or it has begun.
     *
     * @param connection the connection of a transaction to use, or null for none
     */
    public boolean setAlarm(@Nullable Connection connection, String workflowId, String type, Instant at) {
        checkMayChange();
        return parts.idle.setAlarm(
                new IdleRuns.Target(parts.starter.shard(workflowId), workflowId, type, connection), at);
    }

    /**
     * Cancels a run that no node executes, without notifying its code. Returns true if it is cancelled, even if it was
     * cancelled before.
     *
     * @param connection the connection of a transaction to use, or null for none
     */
    public boolean cancelIdle(@Nullable Connection connection, String workflowId, String type, String reason) {
        checkMayChange();
        return parts.idle.cancel(
                new IdleRuns.Target(parts.starter.shard(workflowId), workflowId, type, connection), reason);
    }

    /** Returns the current run of a workflow id, as the transaction of {@code connection} sees it. */
    public Optional<RunRow> currentWithin(Connection connection, String workflowId) {
        checkOpen();
        return context.store().currentWithin(connection, parts.starter.shard(workflowId), workflowId);
    }

    /** Retries a run that has failed or is stuck. Returns the run that continues. */
    public UUID retry(String workflowId, UUID runId) {
        checkMayChange();
        return parts.resetter.retry(parts.starter.shard(workflowId), workflowId, runId);
    }

    /** Resets a run to an earlier point of its history. Returns the run that continues from there. */
    public UUID reset(String workflowId, UUID runId, int events) {
        checkMayChange();
        return parts.resetter.reset(parts.starter.shard(workflowId), workflowId, runId, events);
    }

    /**
     * Sends a signal to the open run of a workflow id, once for each key. Returns that run, or null if the key was used
     * before.
     */
    public @Nullable UUID signal(String workflowId, String key, Message.Signal signal) {
        checkMayChange();
        return parts.sender.deliverToRun(parts.starter.shard(workflowId), workflowId, signalKey(key), signal);
    }

    /** Notifies a run that it was started again with this input. */
    public void startAgain(String workflowId, List<Payload> input) {
        checkMayChange();
        String key = newId();
        parts.sender.deliverOrFail(parts.starter.shard(workflowId), workflowId, key, new Message.StartedAgain(input));
    }

    /** Ends a step that is completed from outside. Throws if no run waits for it. */
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

    /**
     * Requests the cancellation of a run, whose code then ends by itself. Closes the run at once if its code has not
     * begun.
     */
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

    /** Sends an update to a workflow's run and waits for the answer, which is the same for the same key. */
    public Event.UpdateAnswered update(String workflowId, String key, Message.Update update, Duration atMost) {
        checkMayChange();
        try (PlaceLoan loan = PlaceLoan.begin()) {
            return parts.updates.ask(parts.starter.shard(workflowId), workflowId, key, update, atMost);
        }
    }

    /**
     * Sends an update to the open run of a workflow id, or starts a run with it, and waits for the answer.
     *
     * @param wanted the run to start, with {@link #startedWith} in its origin
     * @param isNewOnly true to refuse if the workflow id has a run that was not started with this update
     */
    public Event.UpdateAnswered updateWithStart(
            NewRun wanted, boolean isNewOnly, String key, Message.Update update, Duration atMost) {
        checkMayChange();
        try (PlaceLoan loan = PlaceLoan.begin()) {
            return parts.updateWithStart.ask(wanted, isNewOnly, key, update, atMost);
        }
    }

    /** Returns the inbox item of an update with which a run starts. */
    public static InboxMessage startedWith(String key, Message.Update update) {
        return new InboxMessage(
                0, UpdateCalls.inboxKey(key), update.kind(), Instant.EPOCH, MessageCodec.encode(update));
    }

    /**
     * Sends an update to a workflow's run. The future is cancelled if the node closes before the answer. Cancelling the
     * future ends only the wait, not the update.
     *
     * @param then converts the answer, on a thread of its own
     */
    public <T> CompletableFuture<T> updateAsync(
            String workflowId,
            String key,
            Message.Update update,
            Duration atMost,
            Function<Event.UpdateAnswered, T> then) {
        checkMayChange();
        CompletableFuture<T> future = PlaceLoan.until(context.threads().newFuture()); // before anything is sent
        CompletableFuture<Event.UpdateAnswered> asked =
                parts.pendingUpdates.ask(parts.starter.shard(workflowId), workflowId, key, update, atMost);
        CompletableFuture<Event.UpdateAnswered> unused = asked.whenComplete((answer, problem) -> {
            if (asked.isCancelled()) {
                future.cancel(false);
            } else if (problem != null) {
                callBackOrHere(() -> future.completeExceptionally(problem));
            } else {
                callBackOrHere(() -> complete(future, () -> then.apply(answer)));
            }
        });
        CompletableFuture<T> unusedToo = future.whenComplete((value, problem) -> asked.cancel(false));
        return future;
    }

    /** Runs a callback of the user on a new thread, or on this one if the node has closed. */
    private void callBackOrHere(Runnable body) {
        try {
            callBack(body);
        } catch (RejectedExecutionException closed) {
            body.run();
        }
    }

    private static <T> void complete(CompletableFuture<T> future, Supplier<T> value) {
        try {
            future.complete(value.get());
        } catch (RuntimeException | LinkageError | OutOfMemoryError | StackOverflowError problem) {
            future.completeExceptionally(problem);
        }
    }

    /** Returns the inbox key of a signal. The prefix keeps signal keys apart from update ids. */
    public static String signalKey(String key) {
        return "signal " + key;
    }

    /** Returns true if this node has the code of a type. */
    public boolean hasCode(String type) {
        return parts.served.code(type) != null;
    }

    /** Returns true if a living node, which may be this one, has the code of a run. */
    public boolean isCodeAlive(RunRow row) {
        checkOpen();
        return parts.unserved.hasCode(row.shard(), row.type());
    }

    /** Executes a query, which changes nothing, in a run's code. */
    public Payload query(String workflowId, UUID runId, String name, List<Payload> arguments, Duration atMost) {
        RunRow row = find(workflowId, runId);
        checkMayAsk(row);
        return parts.queries.ask(row, name, arguments, atMost);
    }

    /**
     * Executes a query on a run whose history was read before. The history is not read again if this node has the code.
     */
    public Payload query(RunRow row, List<Event> events, String name, List<Payload> arguments, Duration atMost) {
        checkOpen();
        checkMayAsk(row);
        return parts.queries.ask(row, events, name, arguments, atMost);
    }

    private void checkMayAsk(RunRow row) {
        if (parts.served.code(row.type()) == null && !context.store().isExclusive()) {
            checkMayChange(); // the query is stored for other nodes
        }
    }

    /** Returns the latest instant that the store's clock may show now. */
    public Instant now() {
        return context.clock().latest();
    }

    /** Returns the outages of the store that have not ended, as far as this node knows. */
    public List<StoreOutage> outages() {
        return parts.storeWatch.outages();
    }

    /** Returns the period after which a node that was not seen counts as dead. */
    public Duration timeout() {
        return context.nodeTimeout();
    }

    /** Returns how long after its deadline a run that waits in memory is left to its node. */
    public Duration parkGrace() {
        return context.settings().parkGrace();
    }

    /** Wakes the loop or run that a notice concerns. Called by a thread of the store. */
    private void onNotice(Notice notice) {
        if (notice instanceof Notice.AlarmSet set) {
            if (!Lanes.queueOf(set.lane()).isEmpty()) {
                parts.queues.onNotice(set.lane(), set.at());
            } else if (parts.served.lanes().contains(set.lane())) {
                parts.alarms.onNotice(set.at());
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
            parts.resultWatch.lookNow();
            parts.answers.look(closed.runId());
        } else if (notice instanceof Notice.LeaseLost lost && lost.owner().equals(context.nodeId())) {
            LocalRun run = parts.table.get(lost.runId());
            if (run != null) {
                parts.renewals.doubt(run);
            }
        }
    }

    /**
     * Handles a gap in the store's notices: looks for everything that may have been missed. The next call of the store
     * shows whether the store was away.
     */
    private void onNoticeGap() {
        context.guard().stalled();
        parts.alarms.sweepNow();
        context.contact().renewNow();
        parts.table.all(run -> true).forEach(LocalRun::look);
    }

    /** Throws DORMOUSE_CLOSED if this node is closed, and READ_ONLY if it only reads. */
    public void checkMayChange() {
        checkOpen();
        if (onlyReads) {
            throw new DormouseException(
                    ErrorCode.READ_ONLY,
                    "Expected a Dormouse that accepts changes, but it was opened with readOnly(). "
                            + "Open it without readOnly().");
        }
    }

    private void checkOpen() {
        if (context.isClosed()) {
            throw new DormouseException(
                    ErrorCode.DORMOUSE_CLOSED, "Expected an open Dormouse, but it is closed. Open another one.");
        }
    }

    /**
     * Waits for running code to pause, up to the close grace. Then releases all leases, so that other nodes resume the
     * runs. Does nothing if the node was closed before.
     */
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
            // another node deletes the row of this node later
        }
        closeSubscription();
    }

    private void closeSubscription() {
        try {
            subscription.close();
        } catch (Exception gone) {
            // the subscription ends with the connection
        }
    }
}
