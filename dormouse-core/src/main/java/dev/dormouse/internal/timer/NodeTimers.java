package dev.dormouse.internal.timer;

import static dev.dormouse.internal.value.Arguments.required;

import dev.dormouse.ActivityOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.IdReuse;
import dev.dormouse.TypeRef;
import dev.dormouse.codec.Payload;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.internal.client.CallGuard;
import dev.dormouse.internal.client.ListCursor;
import dev.dormouse.internal.engine.Node;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.Failure;
import dev.dormouse.internal.history.Origin;
import dev.dormouse.internal.run.NewRun;
import dev.dormouse.internal.run.OpenStep;
import dev.dormouse.internal.run.StartedRun;
import dev.dormouse.internal.run.TimerTypes;
import dev.dormouse.internal.thread.Threads;
import dev.dormouse.internal.value.EngineOptions;
import dev.dormouse.internal.value.Ids;
import dev.dormouse.internal.value.Payloads;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.page.RunFilter;
import dev.dormouse.store.page.RunPage;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.timer.TimerAction;
import dev.dormouse.timer.TimerHandler;
import dev.dormouse.timer.TimerId;
import dev.dormouse.timer.TimerInfo;
import dev.dormouse.timer.TimerList;
import dev.dormouse.timer.TimerListOptions;
import dev.dormouse.timer.TimerOptions;
import dev.dormouse.timer.TimerScheduler;
import dev.dormouse.timer.TimerStatus;
import dev.dormouse.timer.TimerTransaction;
import dev.dormouse.timer.Timers;
import java.lang.reflect.Type;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The timers of a node. Each timer is a run with a delayed start. If it has a connection, changes are made in the
 * connection's transaction. Thread-safe without a connection; with one, it belongs to the connection's thread.
 */
public final class NodeTimers implements Timers {
    private static final String KEY = "key";
    private static final String CANCELLED = "the timer was cancelled";

    private final Node node;
    private final Supplier<Dormouse> dormouse;
    private final Threads threads;
    private final Payloads payloads;
    private final ActivityOptions options;
    private final int shards;
    private final @Nullable Connection connection;
    private final Map<String, Type> handlers;

    /**
     * Creates the API for timers.
     *
     * @param dormouse returns the Dormouse of the node
     * @param options the options of timers that are scheduled without options
     */
    public NodeTimers(
            Node node,
            Supplier<Dormouse> dormouse,
            Threads threads,
            Payloads payloads,
            ActivityOptions options,
            int shards) {
        this(node, dormouse, threads, payloads, options, shards, null, new ConcurrentHashMap<>());
    }

    private NodeTimers(
            Node node,
            Supplier<Dormouse> dormouse,
            Threads threads,
            Payloads payloads,
            ActivityOptions options,
            int shards,
            @Nullable Connection connection,
            Map<String, Type> handlers) {
        this.node = node;
        this.dormouse = dormouse;
        this.threads = threads;
        this.payloads = payloads;
        this.options = options;
        this.shards = shards;
        this.connection = connection;
        this.handlers = handlers;
    }

    /**
     * Returns an API whose changes are made in the transaction of {@code users}, a connection to the store's database.
     */
    public TimerScheduler within(Connection users) {
        return new NodeTimers(node, dormouse, threads, payloads, options, shards, users, handlers);
    }

    // ---- handlers

    @Override
    public <T extends @Nullable Object> void handle(String handler, TypeRef<T> payload, TimerAction<T> action) {
        required(action, "a timer action");
        serve(handler, payload, false, (value, firing, attempt) -> action.fire(NodeTimers.<T>cast(value)));
    }

    @Override
    public <T extends @Nullable Object> void handle(String handler, TypeRef<T> payload, TimerHandler<T> action) {
        required(action, "a timer action");
        serve(handler, payload, false, (value, firing, attempt) -> action.fire(NodeTimers.<T>cast(value), firing));
    }

    @Override
    public <T extends @Nullable Object> void handleInTransaction(
            String handler, TypeRef<T> payload, TimerTransaction<T> action) {
        required(action, "a timer action");
        serve(
                handler,
                payload,
                true,
                (value, firing, attempt) -> action.fire(NodeTimers.<T>cast(value), attempt.connection()));
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // the codec returns the requested type, null included, or throws
    private static <T extends @Nullable Object> T cast(@Nullable Object value) {
        return (T) value;
    }

    private void serve(String handler, TypeRef<?> payload, boolean inTransaction, TimerCode.Body body) {
        checkMayChange("Timers.handle");
        checkHandler(handler);
        Type type = required(payload, "the type of the payload").type();
        TimerCode code = new TimerCode(handler, type, inTransaction, body, payloads, dormouse);
        if (!node.serve(TimerTypes.of(handler), code.runs(threads))) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected unique handler names, but '" + handler + "' is registered twice. Rename one.");
        }
        handlers.put(handler, type);
    }

    /** Returns the names of the handlers that are registered on this node. */
    public Set<String> handlers() {
        return Set.copyOf(handlers.keySet());
    }

    private static String checkHandler(String handler) {
        return Ids.checkedName("timer handler", required(handler, "the name of a handler"));
    }

    // ---- scheduling

    @Override
    public TimerId at(Instant instant, String handler, @Nullable Object payload) {
        return at(instant, handler, TimerOptions.DEFAULT, payload);
    }

    @Override
    public TimerId at(Instant instant, String handler, TimerOptions how, @Nullable Object payload) {
        return schedule(how, checked(instant), null, handler, payload);
    }

    @Override
    public TimerId after(Duration delay, String handler, @Nullable Object payload) {
        return after(delay, handler, TimerOptions.DEFAULT, payload);
    }

    @Override
    public TimerId after(Duration delay, String handler, TimerOptions how, @Nullable Object payload) {
        return schedule(how, null, required(delay, "a delay"), handler, payload);
    }

    private static Instant checked(Instant instant) {
        return Micros.roundUp(required(instant, "an instant"));
    }

    private TimerId schedule(
            TimerOptions timer, @Nullable Instant at, @Nullable Duration in, String handler, @Nullable Object payload) {
        checkMayChange("Timers.after or Timers.at");
        checkHandler(handler);
        TimerId id = new TimerId(required(timer, "timer options").id().orElseGet(() -> newId()));
        ActivityOptions firing = firing(timer, options);
        Payload encoded = payloads.encode(payload);
        Type type = handlers.get(handler);
        if (type != null) {
            payloads.decode(encoded, type); // throws here, in the caller, if the payload does not fit the handler
        }
        StartedRun started = start(new NewRun(
                workflowId(id),
                TimerTypes.of(handler),
                TimerCode.input(firing, encoded),
                at,
                in,
                null,
                timer.key().map(key -> Map.of(KEY, key)).orElse(Map.of()),
                Origin.NONE.with(EngineOptions.queued(firing)),
                EngineOptions.replaces(timer.idReuse())));
        if (!started.isNew()) {
            checkFound(id, timer, started);
        }
        return id;
    }

    /** Throws if the existing run of this id is not a timer, or if the options do not allow an existing timer. */
    private void checkFound(TimerId id, TimerOptions timer, StartedRun found) {
        if (timer(id).isEmpty()) {
            throw new DormouseException(
                    ErrorCode.WORKFLOW_ID_TAKEN,
                    "Expected timer id '" + id + "' to be unused, but workflow '" + workflowId(id)
                            + "' has it. Use another id.");
        } else if (connection != null && EngineOptions.replaces(timer.idReuse()).contains(found.status())) {
            throw new DormouseException(
                    ErrorCode.NOT_ALLOWED_HERE,
                    "Expected a new timer id in your transaction, but timer '" + id
                            + "' has ended, and a transaction cannot replace it. Schedule it outside of the transaction, or under another id.");
        }
        if (timer.idReuse() == IdReuse.REJECT) {
            throw new DormouseException(
                    ErrorCode.WORKFLOW_ID_TAKEN,
                    "Expected timer id '" + id
                            + "' to be unused, but a timer has it. Use another id, or another IdReuse.");
        }
    }

    private StartedRun start(NewRun run) {
        return connection == null ? node.start(run) : node.startWithin(connection, run);
    }

    private static String newId() {
        return UUID.randomUUID().toString();
    }

    // ---- changes

    @Override
    public boolean cancel(TimerId id) {
        checkMayChange("Timers.cancel");
        return timer(id)
                .map(row -> node.cancelIdle(connection, row.workflowId(), row.type(), CANCELLED))
                .orElse(false);
    }

    @Override
    public boolean reschedule(TimerId id, Instant instant) {
        checkMayChange("Timers.reschedule");
        Instant at = checked(instant);
        return timer(id)
                .map(row -> node.setAlarm(connection, row.workflowId(), row.type(), at))
                .orElse(false);
    }

    @Override
    public boolean fireNow(TimerId id) {
        return reschedule(id, node.now());
    }

    private void checkMayChange(String call) {
        if (connection == null) {
            CallGuard.changes(call, "Workflow.newTimer(…) or Workflow.sleep(…)");
        } else {
            CallGuard.within(call);
        }
    }

    private Optional<RunRow> timer(TimerId id) {
        String workflowId = workflowId(required(id, "a timer id"));
        Optional<RunRow> found =
                connection == null ? node.current(workflowId) : node.currentWithin(connection, workflowId);
        return found.filter(row -> TimerTypes.isTimer(row.type()));
    }

    // ---- reads

    @Override
    public Optional<TimerInfo> get(TimerId id) {
        CallGuard.reads("Timers.get");
        return timer(id).map(this::describe);
    }

    /**
     * Returns true if the handler was called and has not succeeded. Only such timers have more information than their
     * row; they are few, so their histories are read.
     */
    private static boolean hasTried(RunRow row) {
        return row.nextSeq() > 1
                && (row.status() == RunStatus.FAILED || !row.status().isClosed());
    }

    private TimerInfo describe(RunRow row) {
        TimerInfo timer = describeRow(row);
        Optional<String> key = Optional.ofNullable(node.memo(row).get(KEY));
        List<OpenStep> steps = node.openSteps(row);
        if (row.status() == RunStatus.FAILED) {
            Event end = node.history(row.workflowId(), row.runId()).get(row.nextSeq() - 1);
            return end instanceof Event.RunFailed failed
                    ? with(
                            timer,
                            failed.attempts(),
                            Optional.of(payloads.open(failed.failure()).toString()),
                            key)
                    : timer;
        } else if (steps.isEmpty()) {
            return with(timer, 0, timer.lastFailure(), key);
        }
        Failure failure = steps.get(0).failure();
        return with(
                timer,
                failure == null ? 0 : steps.get(0).attempt(),
                failure == null
                        ? timer.lastFailure()
                        : Optional.of(payloads.open(failure).toString()),
                key);
    }

    @Override
    public TimerList list(TimerListOptions which) {
        CallGuard.reads("Timers.list");
        required(which, "list options");
        RunFilter filter = new RunFilter(
                which.idPrefix().map(TimerTypes::workflowId).orElse(null),
                which.handler().map(TimerTypes::of).orElse(null),
                statuses(which.statuses()));
        ListCursor cursor = ListCursor.of(which.page(), shards);
        RunPage page = node.list(cursor.shard(), filter, cursor.inShard(), which.limit());
        return new TimerList(
                page.runs().stream()
                        .filter(row -> TimerTypes.isTimer(row.type()))
                        .map(row -> hasTried(row) ? describe(row) : describeRow(row))
                        .toList(),
                cursor.next(page.next(), shards));
    }

    private static TimerInfo describeRow(RunRow row) {
        TimerStatus status = status(row.status());
        return new TimerInfo(
                new TimerId(TimerTypes.timerId(row.workflowId())),
                TimerTypes.handler(row.type()),
                status,
                status == TimerStatus.PENDING ? Optional.ofNullable(row.wakeAt()) : Optional.empty(),
                0,
                Optional.of(row.trouble()).filter(trouble -> !trouble.isEmpty()),
                Optional.empty(),
                row.createdAt(),
                Optional.ofNullable(row.closedAt()));
    }

    private static TimerInfo with(TimerInfo timer, int attempts, Optional<String> lastFailure, Optional<String> key) {
        return new TimerInfo(
                timer.id(),
                timer.handler(),
                timer.status(),
                timer.fireAt(),
                attempts,
                lastFailure,
                key,
                timer.scheduledAt(),
                timer.endedAt());
    }

    private static TimerStatus status(RunStatus run) {
        return switch (run) {
            case PENDING, WAITING, PARKED -> TimerStatus.PENDING;
            case RUNNING -> TimerStatus.FIRING;
            case COMPLETED -> TimerStatus.FIRED;
            case FAILED, TIMED_OUT -> TimerStatus.FAILED;
            case CANCELLED, TERMINATED -> TimerStatus.CANCELLED;
            case STUCK -> TimerStatus.STUCK;
            case CONTINUED ->
                throw new IllegalArgumentException("Expected the status of a timer, but got " + run + ".");
        };
    }

    private static Set<RunStatus> statuses(Set<TimerStatus> wanted) {
        return Arrays.stream(RunStatus.values())
                .filter(run -> run != RunStatus.CONTINUED && wanted.contains(status(run)))
                .collect(Collectors.toSet());
    }

    private static String workflowId(TimerId id) {
        return TimerTypes.workflowId(id.value());
    }

    /** Returns the options for the execution of the handler: those of the timer, or else {@code otherwise}. */
    private static ActivityOptions firing(TimerOptions timer, ActivityOptions otherwise) {
        ActivityOptions how = timer.activityOptions().orElse(otherwise);
        how = timer.retry().isPresent() ? how.withRetry(timer.retry().get()) : how;
        return timer.timeout().isPresent()
                ? how.withAttemptTimeout(timer.timeout().get())
                : how;
    }
}
