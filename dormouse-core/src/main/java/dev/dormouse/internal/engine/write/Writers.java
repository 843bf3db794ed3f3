package dev.dormouse.internal.engine.write;

import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.engine.observe.StoreWatch;
import dev.dormouse.internal.engine.observe.Telemetry;
import dev.dormouse.internal.run.EngineSettings;
import dev.dormouse.internal.run.Evicted;
import dev.dormouse.internal.thread.Threads;
import dev.dormouse.store.Store;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.DeliverOutcome;
import dev.dormouse.store.run.Delivery;
import dev.dormouse.store.run.HistoryAppend;
import dev.dormouse.store.run.HistoryRow;
import dev.dormouse.store.run.Outgoing;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.Start;
import dev.dormouse.store.run.StartOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The batched writes and reads of one shard of the store: starts, commits, appends, deliveries, and histories to read. Each kind
 * has a {@link Batcher} of its own, so a slow kind does not delay the others. Starts, deliveries and histories have one
 * writer each; commits have as many as the settings say.
 *
 * <p><b>Unknown outcomes.</b> If the store does not answer, a statement may have taken effect or not. The batcher sends
 * the identical entry again until the outcome is known, which has no second effect. A row that another session has
 * locked is treated the same way.
 *
 * <p><b>Time limits.</b> Runs wait until the outcome is known. Callers from outside wait for {@link
 * #LONGEST_CALL}, and then get the last outcome, such as {@code Unknown}. When the node closes, entries that are not on
 * their way get an unknown outcome with DORMOUSE_CLOSED.
 *
 * <p>Thread-safe: any thread may call any method. Callbacks run on the thread of a writer and must be quick.
 */
public final class Writers {
    /**
     * The maximum time for which a caller from outside waits for the store. The engine's own calls wait without a
     * limit.
     */
    public static final Duration LONGEST_CALL = Duration.ofSeconds(30);

    private static final int MAX_ENTRIES = SizedBatches.MAX_ENTRIES;
    private static final long MAX_BYTES = SizedBatches.MAX_BYTES;
    private static final int HISTORIES_AT_ONCE = 100;
    private static final int ENTRY_BYTES = 200;

    private final Batcher<Start, StartOutcome> starts;
    private final Batcher<Commit, CommitOutcome> commits;
    private final Batcher<HistoryAppend, CommitOutcome> appends;
    private final Batcher<Delivery, DeliverOutcome> deliveries;
    private final Batcher<HistoryRequest, Answer> histories;

    public Writers(
            Threads threads,
            Store store,
            int shard,
            EngineSettings settings,
            Telemetry telemetry,
            Consumer<StoreException> onStall) {
        String at = "-" + shard;
        int writers = settings.writers();
        starts = new Batcher<>(
                threads, "start" + at, 1, MAX_ENTRIES, MAX_BYTES, new Starts(store, shard, onStall), Starts::closed);
        commits = new Batcher<>(
                threads,
                "commit" + at,
                writers,
                MAX_ENTRIES,
                MAX_BYTES,
                new Commits(store, shard, onStall),
                Commits::closed);
        appends = new Batcher<>(
                threads,
                "append" + at,
                writers,
                MAX_ENTRIES,
                MAX_BYTES,
                new Appends(store, shard, onStall),
                Commits::closed);
        deliveries = new Batcher<>(
                threads,
                "deliver" + at,
                1,
                MAX_ENTRIES,
                MAX_BYTES,
                new Deliveries(store, shard, onStall, settings.leasePeriod()),
                Deliveries::closed);
        histories = new Batcher<>(
                threads,
                "read" + at,
                1,
                HISTORIES_AT_ONCE,
                MAX_BYTES,
                new Histories(store, shard, onStall),
                Histories::closed);
        if (telemetry.hasMonitors()) {
            starts.observe((entries, began, waiting) -> telemetry.sent("start", entries, began, waiting));
            commits.observe((entries, began, waiting) -> telemetry.sent("commit", entries, began, waiting));
            appends.observe((entries, began, waiting) -> telemetry.sent("append", entries, began, waiting));
            deliveries.observe((entries, began, waiting) -> telemetry.sent("deliver", entries, began, waiting));
        }
    }

    /**
     * Sends a start and waits for its outcome. Returns the last outcome, such as {@code Unknown}, if {@code atMost}
     * expires.
     */
    public StartOutcome start(Start start, Duration atMost) {
        return starts.submitAndWait(start, atMost);
    }

    /** Sends a start without waiting for its outcome. */
    public Batcher.Ticket<Start, StartOutcome> submit(Start start, Consumer<StartOutcome> done) {
        return starts.submit(start, done);
    }

    /**
     * Takes a start back, so that it is not sent again. Returns its last outcome, or null if it is on its way or was
     * answered.
     */
    @Nullable
    public StartOutcome takeBack(Batcher.Ticket<Start, StartOutcome> start) {
        return starts.takeBack(start);
    }

    /** Sends a commit and waits for its outcome without a time limit. */
    public CommitOutcome commit(Commit commit) {
        return commits.submitAndWait(commit);
    }

    /** Sends an append and waits for its outcome without a time limit. */
    public CommitOutcome append(HistoryAppend append) {
        return appends.submitAndWait(append);
    }

    /** Sends an append without waiting for its outcome. */
    public void submit(HistoryAppend append, Consumer<CommitOutcome> done) {
        appends.submit(append, done);
    }

    /**
     * Sends a commit for a caller from outside and waits for its outcome. Returns the last outcome if {@link
     * #LONGEST_CALL} expires.
     */
    public CommitOutcome commitForCaller(Commit commit) {
        return commits.submitAndWait(commit, LONGEST_CALL);
    }

    /** Sends a commit without waiting for its outcome. */
    public void submit(Commit commit, Consumer<CommitOutcome> done) {
        commits.submit(commit, done);
    }

    /**
     * Sends a start without waiting for its outcome.
     *
     * @return a task that takes the start back unless it is on its way; {@code done} then gets the last outcome
     */
    public Runnable send(Start start, Consumer<StartOutcome> done) {
        return send(starts, start, done);
    }

    /**
     * Sends a commit without waiting for its outcome.
     *
     * @return a task that takes the commit back unless it is on its way; {@code done} then gets the last outcome
     */
    public Runnable send(Commit commit, Consumer<CommitOutcome> done) {
        return send(commits, commit, done);
    }

    /**
     * Sends a delivery without waiting for its outcome.
     *
     * @return a task that takes the delivery back unless it is on its way; {@code done} then gets the last outcome
     */
    public Runnable send(Delivery delivery, Consumer<DeliverOutcome> done) {
        return send(deliveries, delivery, done);
    }

    private static <E, O> Runnable send(Batcher<E, O> batcher, E entry, Consumer<O> done) {
        Batcher.Ticket<E, O> ticket = batcher.submit(entry, done);
        return () -> {
            O last = batcher.takeBack(ticket);
            if (last != null) {
                done.accept(last);
            }
        };
    }

    /** Sends a delivery and waits for its outcome. Returns the last outcome if {@link #LONGEST_CALL} expires. */
    public DeliverOutcome deliver(Delivery delivery) {
        return deliveries.submitAndWait(delivery, LONGEST_CALL);
    }

    /** Returns all rows of a run's history. Throws {@link Evicted} if the node closes before they could be read. */
    public List<HistoryRow> history(RunRow run) {
        List<HistoryRow> rows = histories.submitAndWait(HistoryRequest.of(run)).rows();
        if (rows == null) {
            throw new Evicted();
        }
        return rows;
    }

    /**
     * Reads a run's history without waiting. {@code done} gets null if the node closes before the rows could be read.
     */
    public void readHistory(RunRow run, Consumer<@Nullable List<HistoryRow>> done) {
        histories.submit(HistoryRequest.of(run), answer -> done.accept(answer.rows()));
    }

    public void close() {
        starts.close();
        commits.close();
        appends.close();
        deliveries.close();
        histories.close();
    }

    /** Returns the outcome of a start whose answer could not be processed. */
    public static StartOutcome failedStart(Throwable problem) {
        return new StartOutcome.Unknown(wrapped(problem));
    }

    public static StoreException nodeClosed() {
        return new StoreException(
                ErrorCode.DORMOUSE_CLOSED, "Expected an open Dormouse, but it was closed meanwhile.", null);
    }

    static StoreException wrapped(Throwable problem) {
        return problem instanceof StoreException known ? known : new UnexpectedFailure(problem);
    }

    /** A failure of the store's code that is not a {@link StoreException}. The {@link StoreWatch} does not see it. */
    private static final class UnexpectedFailure extends StoreException {
        private static final long serialVersionUID = 1L;

        UnexpectedFailure(Throwable problem) {
            super(ErrorCode.STORE_FAILED, "Expected the store to take a batch, but it failed: " + problem, problem);
        }
    }

    /** Returns the cause of an entry that is sent again because of {@code problem}; null stands for a locked row. */
    static Batcher.Cause cause(@Nullable StoreException problem) {
        if (problem == null) {
            return Batcher.Cause.LOCKED;
        }
        return StoreWatch.isOutage(problem) && !(problem instanceof UnexpectedFailure)
                ? Batcher.Cause.OUTAGE
                : Batcher.Cause.UNREPORTED;
    }

    private record Starts(Store store, int shard, Consumer<StoreException> onStall)
            implements Batcher.Kind<Start, StartOutcome> {
        @Override
        public List<StartOutcome> send(List<Start> batch) {
            return store.start(shard, batch);
        }

        @Override
        public Object key(Start entry) {
            return entry.workflowId();
        }

        @Override
        public int bytes(Start entry) {
            return ENTRY_BYTES + entry.first().payload().length;
        }

        @Override
        public boolean again(StartOutcome outcome) {
            if (outcome instanceof StartOutcome.Unknown unknown) {
                onStall.accept(unknown.cause());
            }
            return outcome instanceof StartOutcome.Unknown || outcome instanceof StartOutcome.Locked;
        }

        @Override
        public Batcher.Cause cause(StartOutcome outcome) {
            return Writers.cause(outcome instanceof StartOutcome.Unknown unknown ? unknown.cause() : null);
        }

        @Override
        public StartOutcome failed(Throwable problem) {
            return new StartOutcome.Unknown(wrapped(problem));
        }

        static StartOutcome closed() {
            return new StartOutcome.Unknown(nodeClosed());
        }
    }

    private record Commits(Store store, int shard, Consumer<StoreException> onStall)
            implements Batcher.Kind<Commit, CommitOutcome> {
        @Override
        public List<CommitOutcome> send(List<Commit> batch) {
            return store.commit(shard, batch);
        }

        @Override
        public Object key(Commit entry) {
            return entry.runId();
        }

        @Override
        public int bytes(Commit entry) {
            int bytes = ENTRY_BYTES + entry.append().payload().length;
            for (Outgoing item : entry.outbox()) {
                bytes += ENTRY_BYTES + item.payload().length;
            }
            return bytes;
        }

        @Override
        public boolean again(CommitOutcome outcome) {
            return again(outcome, onStall);
        }

        static boolean again(CommitOutcome outcome, Consumer<StoreException> onStall) {
            if (outcome instanceof CommitOutcome.Unknown unknown) {
                onStall.accept(unknown.cause());
            }
            return outcome instanceof CommitOutcome.Unknown || outcome instanceof CommitOutcome.Locked;
        }

        @Override
        public Batcher.Cause cause(CommitOutcome outcome) {
            return Writers.cause(outcome instanceof CommitOutcome.Unknown unknown ? unknown.cause() : null);
        }

        @Override
        public CommitOutcome failed(Throwable problem) {
            return new CommitOutcome.Unknown(wrapped(problem));
        }

        static CommitOutcome closed() {
            return new CommitOutcome.Unknown(nodeClosed());
        }
    }

    private record Appends(Store store, int shard, Consumer<StoreException> onStall)
            implements Batcher.Kind<HistoryAppend, CommitOutcome> {
        @Override
        public List<CommitOutcome> send(List<HistoryAppend> batch) {
            return store.append(shard, batch);
        }

        @Override
        public Object key(HistoryAppend entry) {
            return entry.runId();
        }

        @Override
        public int bytes(HistoryAppend entry) {
            return ENTRY_BYTES + entry.append().payload().length;
        }

        @Override
        public boolean again(CommitOutcome outcome) {
            return Commits.again(outcome, onStall);
        }

        @Override
        public Batcher.Cause cause(CommitOutcome outcome) {
            return Writers.cause(outcome instanceof CommitOutcome.Unknown unknown ? unknown.cause() : null);
        }

        @Override
        public CommitOutcome failed(Throwable problem) {
            return new CommitOutcome.Unknown(wrapped(problem));
        }
    }

    private record Deliveries(Store store, int shard, Consumer<StoreException> onStall, Duration leasePeriod)
            implements Batcher.Kind<Delivery, DeliverOutcome> {
        @Override
        public List<DeliverOutcome> send(List<Delivery> batch) {
            return store.deliver(shard, batch, leasePeriod);
        }

        @Override
        public Object key(Delivery entry) {
            return List.of(entry.workflowId(), entry.key());
        }

        @Override
        public int bytes(Delivery entry) {
            return ENTRY_BYTES + entry.payload().length;
        }

        @Override
        public boolean again(DeliverOutcome outcome) {
            if (outcome instanceof DeliverOutcome.Unknown unknown) {
                onStall.accept(unknown.cause());
            }
            return outcome instanceof DeliverOutcome.Unknown || outcome instanceof DeliverOutcome.Locked;
        }

        @Override
        public Batcher.Cause cause(DeliverOutcome outcome) {
            return Writers.cause(outcome instanceof DeliverOutcome.Unknown unknown ? unknown.cause() : null);
        }

        @Override
        public DeliverOutcome failed(Throwable problem) {
            return new DeliverOutcome.Unknown(wrapped(problem));
        }

        static DeliverOutcome closed() {
            return new DeliverOutcome.Unknown(nodeClosed());
        }
    }

    /** A request to read a history, with its number of events. */
    private record HistoryRequest(UUID runId, int events) {
        static HistoryRequest of(RunRow run) {
            return new HistoryRequest(run.runId(), run.nextSeq());
        }
    }

    /** The rows of a history, or the reason why they could not be read. The other is null. */
    private record Answer(
            @Nullable List<HistoryRow> rows, @Nullable StoreException problem) {}

    private record Histories(Store store, int shard, Consumer<StoreException> onStall)
            implements Batcher.Kind<HistoryRequest, Answer> {
        @Override
        public List<Answer> send(List<HistoryRequest> batch) {
            Map<UUID, List<HistoryRow>> byRun = new HashMap<>();
            for (HistoryRow row : store.histories(
                    shard, batch.stream().map(HistoryRequest::runId).toList())) {
                byRun.computeIfAbsent(row.runId(), id -> new ArrayList<>()).add(row);
            }
            List<Answer> answers = new ArrayList<>(batch.size());
            batch.forEach(run -> answers.add(new Answer(byRun.getOrDefault(run.runId(), List.of()), null)));
            return answers;
        }

        @Override
        public Object key(HistoryRequest entry) {
            return entry.runId();
        }

        @Override
        public int bytes(HistoryRequest entry) {
            return ENTRY_BYTES * entry.events();
        }

        @Override
        public boolean again(Answer outcome) {
            return outcome.rows() == null;
        }

        @Override
        public Batcher.Cause cause(Answer outcome) {
            return Writers.cause(outcome.problem());
        }

        @Override
        public Answer failed(Throwable problem) {
            StoreException reason = wrapped(problem);
            onStall.accept(reason);
            return new Answer(null, reason);
        }

        static Answer closed() {
            return new Answer(null, nodeClosed());
        }
    }
}
