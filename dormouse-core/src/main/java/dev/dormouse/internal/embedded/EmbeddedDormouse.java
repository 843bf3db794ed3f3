package dev.dormouse.internal.embedded;

import static dev.dormouse.internal.value.Arguments.required;

import dev.dormouse.ActivityOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.IdReuse;
import dev.dormouse.StartOptions;
import dev.dormouse.TypeRef;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.codec.Payload;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.WorkflowIdTakenException;
import dev.dormouse.inspect.ListOptions;
import dev.dormouse.inspect.NodeProfile;
import dev.dormouse.inspect.RunList;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.Statistics;
import dev.dormouse.inspect.StoreOutage;
import dev.dormouse.internal.client.CallGuard;
import dev.dormouse.internal.client.Descriptions;
import dev.dormouse.internal.client.LatestRunHandle;
import dev.dormouse.internal.client.ListCursor;
import dev.dormouse.internal.client.RunCalls;
import dev.dormouse.internal.client.RunHandle;
import dev.dormouse.internal.engine.Node;
import dev.dormouse.internal.engine.command.AwaitedStart;
import dev.dormouse.internal.event.EventCode;
import dev.dormouse.internal.event.EventDesk;
import dev.dormouse.internal.event.NodeEvents;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.Message;
import dev.dormouse.internal.history.MessageCodec;
import dev.dormouse.internal.history.Origin;
import dev.dormouse.internal.history.Problem;
import dev.dormouse.internal.history.RetryAdvice;
import dev.dormouse.internal.replay.WorkflowCode;
import dev.dormouse.internal.run.EventTypes;
import dev.dormouse.internal.run.Families;
import dev.dormouse.internal.run.NewRun;
import dev.dormouse.internal.run.RunCode;
import dev.dormouse.internal.run.StartedRun;
import dev.dormouse.internal.schedule.NodeSchedules;
import dev.dormouse.internal.thread.JvmThreads;
import dev.dormouse.internal.thread.PlaceLoan;
import dev.dormouse.internal.thread.Threads;
import dev.dormouse.internal.timer.NodeSqlTimers;
import dev.dormouse.internal.timer.NodeTimers;
import dev.dormouse.internal.value.EngineOptions;
import dev.dormouse.internal.value.Ids;
import dev.dormouse.internal.value.Payloads;
import dev.dormouse.internal.workflow.Activities;
import dev.dormouse.internal.workflow.ActivityToken;
import dev.dormouse.internal.workflow.NamedActivity;
import dev.dormouse.internal.workflow.WorkflowDefinition;
import dev.dormouse.internal.workflow.WorkflowMethods;
import dev.dormouse.schedule.Schedules;
import dev.dormouse.store.Store;
import dev.dormouse.store.page.RunFilter;
import dev.dormouse.store.page.RunPage;
import dev.dormouse.store.run.InboxMessage;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.timer.SqlTimers;
import dev.dormouse.timer.TimerScheduler;
import dev.dormouse.timer.Timers;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Dormouse whose node runs inside this process. Thread-safe: all fields are final, and the node and the store handle
 * concurrent calls.
 */
public final class EmbeddedDormouse implements Dormouse {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedDormouse.class);
    private static final String START = "Dormouse.start";
    private static final String SIGNAL_WITH_START = "Dormouse.signalWithStart";
    private static final String UPDATE_WITH_START = "Dormouse.updateWithStart";
    private static final String FIND = "Dormouse.find";
    private static final String CHILD = "Workflow.child(…)";

    private final Store store;
    private final Threads threads;
    private final Node node;
    private final Payloads payloads;
    private final Set<String> types;
    private final boolean anyType;
    private final Map<String, WorkflowDefinition> definitions;
    private final RunCalls calls;
    private final NodeTimers timers;
    private final Schedules schedules;
    private final NodeEvents events;
    private final RepeatedStarts repeatedStarts;

    private EmbeddedDormouse(
            Store store,
            Threads threads,
            Node node,
            Set<String> types,
            Map<String, WorkflowDefinition> definitions,
            NodeConfiguration configuration) {
        ActivityOptions options = configuration.activityOptions();
        this.store = store;
        this.threads = threads;
        this.node = node;
        this.payloads = configuration.payloads();
        this.types = types;
        this.anyType = configuration.anyElsewhere();
        this.definitions = definitions;
        this.calls = new RunCalls(node, payloads, definitions);
        this.timers = new NodeTimers(node, () -> this, threads, payloads, options, store.shards());
        this.events = new NodeEvents(node, payloads);
        this.repeatedStarts = new RepeatedStarts(node, threads);
        this.schedules = new NodeSchedules(node, payloads, options, store.shards());
    }

    /** Opens the store and a node on it. */
    public static Dormouse open(NodeConfiguration configuration) {
        Store store = Stores.open(configuration.store());
        try {
            return open(configuration, store, new JvmThreads(), new SecureRandom());
        } catch (RuntimeException problem) {
            store.close();
            throw problem;
        }
    }

    static Dormouse open(NodeConfiguration configuration, Store store, Threads threads, RandomGenerator random) {
        NodeSite site = new NodeSite(store, configuration.activityOptions());
        configuration.plugins().forEach(plugin -> plugin.opening(site));
        EventDesk desk = new EventDesk(configuration.eventWindow());
        AtomicReference<@Nullable Dormouse> opened = new AtomicReference<>();
        Supplier<Dormouse> self = () -> Objects.requireNonNull(opened.get()); // set before the node executes any code
        Map<String, RunCode> code = code(configuration, store, desk, threads, self);
        code.put(EventTypes.EVENT, new EventCode(desk).runs(threads));
        Set<String> types = new HashSet<>(configuration.anyRemoteWorkflow());
        configuration.workflows().forEach(workflow -> types.add(workflow.name()));
        Node node = new Node(
                store,
                threads,
                configuration.engine(),
                random,
                configuration.nodeName(random),
                code,
                configuration.monitors());
        desk.connect(node);
        Map<String, WorkflowDefinition> definitions = new HashMap<>();
        configuration.workflows().forEach(workflow -> definitions.put(workflow.name(), workflow));
        Dormouse dormouse = new EmbeddedDormouse(store, threads, node, types, definitions, configuration);
        opened.set(dormouse);
        if (configuration.store().readOnly()) {
            node.openToRead();
        } else {
            node.open();
            configuration.engine().retention().ifPresent(EmbeddedDormouse::announce);
        }
        site.opened(node, dormouse);
        return dormouse;
    }

    /** Logs what happens to closed runs, because a database of an earlier release may contain many. */
    private static void announce(Duration retention) {
        LOG.info(
                "This node deletes closed runs {} after their end, in small batches. DormouseBuilder.retention changes "
                        + "this time, and keepClosedRuns() keeps them forever.",
                retention.toDays() > 1 ? retention.toDays() + " days" : retention);
    }

    /**
     * Returns a test for workflow types that some node may execute. If the store can have other nodes, any type may be
     * registered on one of them.
     */
    private static Predicate<String> executable(NodeConfiguration configuration, Store store) {
        if (!store.isExclusive() || configuration.anyElsewhere()) {
            return type -> true;
        }
        Map<String, Boolean> known = new HashMap<>();
        configuration.anyRemoteWorkflow().forEach(type -> known.put(type, true));
        configuration.workflows().forEach(workflow -> known.put(workflow.name(), true));
        return type -> Families.find(known, type) != null;
    }

    private static Map<String, RunCode> code(
            NodeConfiguration configuration, Store store, EventDesk events, Threads threads, Supplier<Dormouse> self) {
        Payloads payloads = configuration.payloads();
        Map<Class<?>, Object> here = configuration.activities();
        Map<String, NamedActivity> named = configuration.namedActivities();
        Set<String> interfaces = here.keySet().stream().map(Activities::nameOf).collect(Collectors.toSet());
        Activities activities = new Activities(
                here::get,
                named::get,
                interfaces,
                configuration.remoteActivities(),
                executable(configuration, store),
                self);
        Map<String, RunCode> code = activities.code(named, payloads, threads);
        WorkflowDefinition schedules = NodeSchedules.workflow(store);
        code.put(schedules.name(), schedules.code(Payloads.OWN, ActivityOptions.DEFAULT, activities, events, threads));
        for (WorkflowDefinition workflow : configuration.workflows()) {
            RunCode runs = workflow.code(payloads, configuration.activityOptions(), activities, events, threads);
            if (code.put(workflow.name(), runs) != null) {
                throw twice(workflow.name(), configuration.workflows());
            }
        }
        return code;
    }

    private static DormouseException twice(String name, List<WorkflowDefinition> workflows) {
        String which = workflows.stream()
                .filter(workflow -> workflow.name().equals(name))
                .map(workflow -> workflow.methods().described())
                .collect(Collectors.joining(" and "));
        return new DormouseException(
                ErrorCode.BAD_ARGUMENT,
                "Expected unique workflow names, but '" + name + "' is registered twice, by " + which
                        + ". Rename one with @WorkflowMethod(name = …).");
    }

    @Override
    public <W> W workflow(Class<W> type, StartOptions options) {
        return workflow(type, node.newId(), options);
    }

    @Override
    public <W> W workflow(Class<W> type, String workflowId) {
        return workflow(type, workflowId, StartOptions.DEFAULT);
    }

    @Override
    public <W> W workflow(Class<W> type, String workflowId, StartOptions options) {
        required(workflowId, "a workflow id");
        WorkflowMethods methods = WorkflowMethods.of(required(type, "the interface of a workflow"));
        WorkflowDefinition here = definitions.get(methods.name());
        if (here != null) {
            here.methods().checkStub(methods);
        }
        return WorkflowStub.of(this, type, methods, workflowId, required(options, "start options"));
    }

    @Override
    @SuppressWarnings("unchecked") // the handle decodes to the method's return type
    public <R extends @Nullable Object> WorkflowHandle<R> start(Supplier<R> stubCall) {
        CallGuard.changes(START, CHILD);
        return (WorkflowHandle<R>) start(node::start, WorkflowStub.capture(stubCall));
    }

    @Override
    @SuppressWarnings("unchecked") // a method without a result
    public WorkflowHandle<Void> start(Runnable stubCall, Void... none) {
        CallGuard.changes(START, CHILD);
        return (WorkflowHandle<Void>) start(node::start, WorkflowStub.capture(stubCall));
    }

    @Override
    public <R extends @Nullable Object> CompletableFuture<WorkflowHandle<R>> startAsync(Supplier<R> stubCall) {
        CallGuard.changes("Dormouse.startAsync", CHILD);
        WorkflowStub.Call call = WorkflowStub.capture(stubCall);
        NewRun run = newRun(call);
        return node.startAsync(run, started -> handle(run, started, call.options(), call.result()));
    }

    @Override
    public <R> List<WorkflowHandle<R>> startAll(
            String type,
            Map<String, ? extends @Nullable Object> inputsById,
            StartOptions options,
            TypeRef<R> resultType) {
        CallGuard.changes("Dormouse.startAll", CHILD);
        Type result = typeOf(resultType);
        List<NewRun> runs = new ArrayList<>();
        required(inputsById, "the inputs by workflow id")
                .forEach((workflowId, input) -> runs.add(
                        newRun(options, type, workflowId, List.of(), new @Nullable Object[] {input}, Origin.NONE)));
        List<WorkflowHandle<R>> handles = new ArrayList<>(runs.size());
        new ManyStarts(node).start(runs, (run, started) -> handles.add(handle(run, started, options, result)));
        return List.copyOf(handles);
    }

    /** Starts the workflow of a stub call, and waits for its result. */
    @Nullable
    Object call(WorkflowStub.Call stubCall) {
        CallGuard.waits("a workflow method of a stub", null);
        try (PlaceLoan loan = PlaceLoan.begin()) {
            return callAndWait(stubCall);
        }
    }

    private @Nullable Object callAndWait(WorkflowStub.Call stubCall) {
        Type result = stubCall.result();
        NewRun run = newRun(stubCall);
        AwaitedStart call = node.call(run);
        if (call.awaitBegun()) {
            return handle(run, call.runId(), result).result(call.end());
        }
        return handle(run, call.settle(), stubCall.options(), result).result();
    }

    RunCalls calls() {
        return calls;
    }

    @Override
    @SuppressWarnings("unchecked") // the handle decodes to the method's return type
    public <R extends @Nullable Object> WorkflowHandle<R> signalWithStart(Supplier<R> startCall, Runnable signalCall) {
        CallGuard.changes(SIGNAL_WITH_START);
        return (WorkflowHandle<R>) signalWithStart(WorkflowStub.capture(startCall), signalCall);
    }

    @Override
    @SuppressWarnings("unchecked") // a method without a result
    public WorkflowHandle<Void> signalWithStart(Runnable startCall, Runnable signalCall, Void... none) {
        CallGuard.changes(SIGNAL_WITH_START);
        return (WorkflowHandle<Void>) signalWithStart(WorkflowStub.capture(startCall), signalCall);
    }

    private WorkflowHandle<?> signalWithStart(WorkflowStub.Call start, Runnable signalCall) {
        WorkflowStub.SignalCall signal = WorkflowStub.captureSignal(signalCall);
        if (!signal.workflowId().equals(start.workflowId()) || !signal.type().equals(start.type())) {
            throw new DormouseException(
                    ErrorCode.BAD_STUB_CALL,
                    "Expected the start and the signal to be stub calls for the same workflow id, but got '"
                            + start.workflowId() + "' and '" + signal.workflowId() + "'. Use one stub for both.");
        }
        return signalWithStart(
                start.options(),
                start.type(),
                start.workflowId(),
                start.result(),
                start.parameters(),
                start.arguments(),
                calls.message(start.type(), signal.name(), signal.arguments(), signal.parameters()));
    }

    @Override
    public <R> WorkflowHandle<R> signalWithStart(
            String type,
            String workflowId,
            StartOptions options,
            TypeRef<R> resultType,
            List<?> input,
            String signal,
            @Nullable Object... arguments) {
        CallGuard.changes(SIGNAL_WITH_START);
        Message.Signal message = calls.message(type, signal, arguments, null);
        return signalWithStart(options, type, workflowId, typeOf(resultType), List.of(), input.toArray(), message);
    }

    /**
     * Starts a run with a signal. If a new run starts, the signal is part of the start; otherwise it is sent to the
     * existing run.
     */
    private <R> WorkflowHandle<R> signalWithStart(
            StartOptions options,
            String type,
            String workflowId,
            Type resultType,
            List<Type> inputTypes,
            @Nullable Object[] input,
            Message.Signal signal) {
        String key = UUID.randomUUID().toString();
        InboxMessage item =
                new InboxMessage(0, Node.signalKey(key), signal.kind(), Instant.EPOCH, MessageCodec.encode(signal));
        Origin origin = Origin.NONE.with(List.of(item));
        while (true) {
            AtomicReference<@Nullable StartedRun> started = new AtomicReference<>();
            WorkflowHandle<R> handle = start(
                    run -> {
                        StartedRun outcome = node.start(run);
                        started.set(outcome);
                        return outcome;
                    },
                    options,
                    type,
                    workflowId,
                    resultType,
                    inputTypes,
                    input,
                    origin);
            UUID signalled = signalled(started.get(), options, workflowId, key, signal);
            if (signalled != null) {
                return signalled.equals(handle.runId())
                        ? handle
                        : new RunHandle<>(node, calls, payloads, type, workflowId, signalled, resultType);
            }
        }
    }

    /**
     * Returns the run that has received the signal. Returns null if that run has closed in the meantime and a new one
     * may start.
     */
    private @Nullable UUID signalled(
            @Nullable StartedRun started, StartOptions options, String workflowId, String key, Message.Signal signal) {
        if (started != null && started.isNew()) {
            return started.runId();
        }
        try {
            UUID signalled = node.signal(workflowId, key, signal);
            return signalled == null && started != null ? started.runId() : signalled;
        } catch (DormouseException refused) {
            RunStatus status = node.current(workflowId).map(RunRow::status).orElse(RunStatus.TERMINATED);
            boolean canStart = !status.isClosed()
                    || EngineOptions.replaces(options.idReuse()).contains(status);
            if (refused.code() == ErrorCode.RUN_CLOSED && canStart) {
                return null;
            }
            throw refused;
        }
    }

    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // the codec returns the method's return type, null included
    public <T extends @Nullable Object> T updateWithStart(Runnable startCall, Supplier<T> updateCall) {
        return (T) update(newId(), RunCalls.UPDATE_TIME, startCall, WorkflowStub.calling(updateCall));
    }

    @Override
    public void updateWithStart(Runnable startCall, Runnable updateCall, Void... none) {
        update(newId(), RunCalls.UPDATE_TIME, startCall, updateCall);
    }

    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // the codec returns the method's return type, null included
    public <T extends @Nullable Object> T updateWithStart(
            String updateId, Duration atMost, Runnable startCall, Supplier<T> updateCall) {
        return (T) update(updateId, atMost, startCall, WorkflowStub.calling(updateCall));
    }

    private static String newId() {
        return UUID.randomUUID().toString();
    }

    private @Nullable Object update(String updateId, Duration atMost, Runnable startCall, Runnable updateCall) {
        CallGuard.changes(UPDATE_WITH_START);
        WorkflowStub.Call start = WorkflowStub.capture(startCall);
        WorkflowStub.UpdateCall update = WorkflowStub.captureUpdate(updateCall);
        if (!update.workflowId().equals(start.workflowId()) || !update.type().equals(start.type())) {
            throw new DormouseException(
                    ErrorCode.BAD_STUB_CALL,
                    "Expected the start and the update to be stub calls for the same workflow id, but got '"
                            + start.workflowId() + "' and '" + update.workflowId() + "'. Use one stub for both.");
        }
        Message.Update message = calls.request(
                update.type(), update.workflowId(), updateId, update.name(), update.arguments(), update.parameters());
        NewRun run = newRun(
                start.options(),
                start.type(),
                start.workflowId(),
                start.parameters(),
                start.arguments(),
                startedWith(updateId, message));
        return update(run, start.options(), updateId, atMost, message, update.result());
    }

    @Override
    @SuppressWarnings("unchecked") // the codec returns the requested type, or throws
    public <T> @Nullable T updateWithStart(
            String type,
            String workflowId,
            StartOptions options,
            List<?> input,
            String updateId,
            Duration atMost,
            String update,
            TypeRef<T> resultType,
            @Nullable Object... arguments) {
        CallGuard.changes(UPDATE_WITH_START);
        Type result = typeOf(resultType);
        @Nullable
        Object[] values = required(input, "a list of the workflow's input").toArray();
        Message.Update message = calls.request(
                required(type, "the name of a workflow type"), workflowId, updateId, update, arguments, null);
        NewRun run = newRun(options, type, workflowId, List.of(), values, startedWith(updateId, message));
        return (T) update(run, options, updateId, atMost, message, result);
    }

    private static Origin startedWith(String updateId, Message.Update update) {
        return Origin.NONE.with(List.of(Node.startedWith(updateId, update)));
    }

    private @Nullable Object update(
            NewRun run, StartOptions options, String updateId, Duration atMost, Message.Update update, Type result) {
        boolean isNewOnly =
                options.idReuse() == IdReuse.REJECT && options.debounceLimit().isEmpty();
        Event.UpdateAnswered answer =
                node.updateWithStart(run, isNewOnly, updateId, update, required(atMost, "a duration"));
        return calls.value(run.workflowId(), update.name(), answer, result);
    }

    @Override
    public <R> WorkflowHandle<R> start(String type, TypeRef<R> resultType, @Nullable Object... input) {
        return start(type, node.newId(), resultType, input);
    }

    @Override
    public <R> WorkflowHandle<R> start(
            String type, String workflowId, StartOptions options, TypeRef<R> resultType, @Nullable Object... input) {
        CallGuard.changes(START, CHILD);
        return start(node::start, options, type, workflowId, typeOf(resultType), List.of(), input, Origin.NONE);
    }

    private static Type typeOf(TypeRef<?> resultType) {
        return required(resultType, "the type of the result").type();
    }

    private WorkflowHandle<?> start(Function<NewRun, StartedRun> how, WorkflowStub.Call call) {
        return start(
                how,
                call.options(),
                call.type(),
                call.workflowId(),
                call.result(),
                call.parameters(),
                call.arguments(),
                Origin.NONE);
    }

    private <R> WorkflowHandle<R> start(
            Function<NewRun, StartedRun> how,
            StartOptions options,
            String type,
            String workflowId,
            Type resultType,
            List<Type> inputTypes,
            @Nullable Object[] input,
            Origin origin) {
        NewRun run = newRun(options, type, workflowId, inputTypes, input, origin);
        return handle(run, how.apply(run), options, resultType);
    }

    private NewRun newRun(WorkflowStub.Call call) {
        return newRun(call.options(), call.type(), call.workflowId(), call.parameters(), call.arguments(), Origin.NONE);
    }

    /**
     * Creates the request for a new run.
     *
     * @param inputTypes the types of the input that the caller knows; empty to use the registered types, if there
     *     are any
     */
    private NewRun newRun(
            StartOptions options,
            String type,
            String workflowId,
            List<Type> inputTypes,
            @Nullable Object[] input,
            Origin origin) {
        checkType(required(type, "the name of a workflow type"));
        Ids.checkNewWorkflowId(workflowId);
        required(options, "start options");
        WorkflowDefinition known = Families.find(definitions, type);
        List<Payload> payload =
                payloads.encodeAll(input, known != null && inputTypes.isEmpty() ? known.parameters() : inputTypes);
        if (known != null) {
            known.checkInput(payload, payloads);
        }
        Origin.Debounce debounce = EngineOptions.debounce(options);
        return new NewRun(
                workflowId,
                type,
                payload,
                options.startAt().orElse(null),
                debounce == null ? options.startDelay().orElse(null) : debounce.quiet(),
                options.executionTimeout().orElse(null),
                options.memo(),
                origin.with(debounce).with(EngineOptions.queued(options)),
                debounce == null
                        ? EngineOptions.replaces(options.idReuse())
                        : EngineOptions.replaces(IdReuse.START_NEW));
    }

    /**
     * Returns the handle for the outcome of a start, which may refer to an existing run.
     *
     * @param started the outcome of the start
     */
    private <R> RunHandle<R> handle(NewRun run, StartedRun started, StartOptions options, Type resultType) {
        if (!started.isNew()
                && options.debounceLimit().isPresent()
                && !started.status().isClosed()) {
            node.startAgain(run.workflowId(), run.input());
        } else if (!started.isNew() && options.idReuse() == IdReuse.REJECT) {
            throw new WorkflowIdTakenException(run.workflowId(), started.runId());
        } else if (!started.isNew()
                && run.origin().mail().isEmpty()) { // a start with a signal often has a different input
            repeatedStarts.check(run, started);
        }
        return handle(run, started.runId(), resultType);
    }

    private <R> RunHandle<R> handle(NewRun run, UUID runId, Type resultType) {
        return new RunHandle<>(node, calls, payloads, run.type(), run.workflowId(), runId, resultType);
    }

    private void checkType(String type) {
        if (anyType) {
            Ids.checkedType(type);
        } else if (!types.contains(type) && Families.find(definitions, type) == null) {
            throw new DormouseException(
                    ErrorCode.UNKNOWN_WORKFLOW_TYPE,
                    "Expected a workflow type that is registered here, one of " + types + ", but got '" + type
                            + "'. Register it with workflow(…), or with remoteWorkflow(…) if other nodes execute it.");
        }
    }

    @Override
    public <R> WorkflowHandle<R> handle(String workflowId, TypeRef<R> resultType) {
        Ids.checkWorkflowId(workflowId);
        return new LatestRunHandle<>(node, calls, payloads, workflowId, typeOf(resultType));
    }

    @Override
    public <R> Optional<WorkflowHandle<R>> find(String workflowId, TypeRef<R> resultType) {
        CallGuard.reads(FIND);
        Ids.checkWorkflowId(workflowId);
        Type result = typeOf(resultType);
        return node.current(workflowId)
                .map(row -> new RunHandle<>(node, calls, payloads, row.type(), workflowId, row.runId(), result));
    }

    @Override
    public <R> Optional<WorkflowHandle<R>> find(String workflowId, UUID runId, TypeRef<R> resultType) {
        CallGuard.reads(FIND);
        Ids.checkWorkflowId(workflowId);
        required(runId, "the id of a run");
        Type result = typeOf(resultType);
        try {
            RunRow row = node.find(workflowId, runId);
            return Optional.of(new RunHandle<>(node, calls, payloads, row.type(), workflowId, runId, result));
        } catch (DormouseException none) {
            if (none.code() == ErrorCode.RUN_NOT_FOUND) {
                return Optional.empty();
            }
            throw none;
        }
    }

    @Override
    public NodeProfile profile() {
        return Descriptions.node(store.about(), definitions.values(), timers.handlers());
    }

    @Override
    public Instant now() {
        WorkflowCode.refuse("Dormouse.now", "Use Workflow.now().");
        return node.now();
    }

    @Override
    public String publish(String event, @Nullable Object payload) {
        CallGuard.changes("Dormouse.publish");
        return events.publish(node::start, event, payload);
    }

    @Override
    public String publishOnce(String key, String event, @Nullable Object payload) {
        CallGuard.changes("Dormouse.publishOnce");
        return events.publish(node::start, key, event, payload);
    }

    @Override
    public Timers timers() {
        return timers;
    }

    @Override
    public SqlTimers sqlTimers() {
        return new NodeSqlTimers(node, store.sqlTimers());
    }

    @Override
    public Schedules schedules() {
        return schedules;
    }

    @Override
    public Statistics statistics() {
        CallGuard.reads("Dormouse.statistics");
        return new NodeStatistics(node, store);
    }

    @Override
    public List<StoreOutage> outages() {
        CallGuard.reads("Dormouse.outages");
        return node.outages();
    }

    @Override
    public Within within(Connection connection) {
        CallGuard.within("Dormouse.within");
        return new InTransaction(required(connection, "a connection"));
    }

    private final class InTransaction implements Within {
        private final Connection connection;

        InTransaction(Connection connection) {
            this.connection = connection;
        }

        @Override
        public <R> WorkflowHandle<R> start(
                String type,
                String workflowId,
                StartOptions options,
                TypeRef<R> resultType,
                @Nullable Object... input) {
            return EmbeddedDormouse.this.start(
                    this::startWithin, options, type, workflowId, typeOf(resultType), List.of(), input, Origin.NONE);
        }

        @Override
        @SuppressWarnings("unchecked") // the handle decodes to the method's return type
        public <R extends @Nullable Object> WorkflowHandle<R> start(Supplier<R> stubCall) {
            return (WorkflowHandle<R>) EmbeddedDormouse.this.start(this::startWithin, WorkflowStub.capture(stubCall));
        }

        @Override
        @SuppressWarnings("unchecked") // a method without a result
        public WorkflowHandle<Void> start(Runnable stubCall, Void... none) {
            return (WorkflowHandle<Void>)
                    EmbeddedDormouse.this.start(this::startWithin, WorkflowStub.capture(stubCall));
        }

        @Override
        public String publish(String event, @Nullable Object payload) {
            return events.publish(this::startWithin, event, payload);
        }

        @Override
        public TimerScheduler timers() {
            return timers.within(connection);
        }

        private StartedRun startWithin(NewRun run) {
            return node.startWithin(connection, run);
        }
    }

    @Override
    public void completeActivity(String token, @Nullable Object result) {
        CallGuard.changes("Dormouse.completeActivity");
        ActivityToken.of(token).complete(node, payloads.encode(result));
    }

    @Override
    public void failActivity(String token, Throwable problem) {
        CallGuard.changes("Dormouse.failActivity");
        payloads.checkDetails(required(problem, "an exception"));
        Problem kept = new Problem(payloads.keep(problem), RetryAdvice.of(problem));
        ActivityToken.of(token).fail(node, kept);
    }

    @Override
    public RunList list(ListOptions options) {
        CallGuard.reads("Dormouse.list");
        RunFilter filter = new RunFilter(
                required(options, "list options").workflowIdPrefix().orElse(null),
                options.type().orElse(null),
                options.statuses(),
                options.workflowsOnly());
        ListCursor cursor = ListCursor.of(options.page(), store.shards());
        RunPage page = node.list(cursor.shard(), filter, cursor.inShard(), options.limit());
        return new RunList(
                page.runs().stream()
                        .map(row -> Descriptions.run(row, Map.of(), List.of()))
                        .toList(),
                cursor.next(page.next(), store.shards()));
    }

    @Override
    public void backup(Path target) {
        CallGuard.changes("Dormouse.backup");
        store.backup(required(target, "the path of a new file"));
    }

    @Override
    public void close() {
        CallGuard.changes("Dormouse.close");
        CallGuard.closes(this);
        node.close();
        threads.close();
        store.close();
    }
}
