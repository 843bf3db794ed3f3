package dev.dormouse;

import dev.dormouse.codec.Payload;
import dev.dormouse.engine.EngineSettings;
import dev.dormouse.engine.NewRun;
import dev.dormouse.engine.Node;
import dev.dormouse.engine.RunCode;
import dev.dormouse.engine.StartedRun;
import dev.dormouse.engine.Threads;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.replay.Replay;
import dev.dormouse.replay.ReplayedCode;
import dev.dormouse.store.RunFilter;
import dev.dormouse.store.RunPage;
import dev.dormouse.store.Store;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A node inside this process. */
final class EmbeddedDormouse implements Dormouse {
    private static final int MAX_ID = 500;

    private final Store store;
    private final Threads threads;
    private final Node node;
    private final Payloads payloads;
    private final Set<String> types;
    private final Map<String, WorkflowDefinition> definitions = new HashMap<>();

    private EmbeddedDormouse(Store store, Threads threads, Node node, Payloads payloads, Set<String> types) {
        this.store = store;
        this.threads = threads;
        this.node = node;
        this.payloads = payloads;
        this.types = types;
    }

    static Dormouse open(
            DormouseBuilder builder, Store store, Threads threads, EngineSettings settings, RandomGenerator random) {
        Map<String, RunCode> code = code(builder, threads);
        Set<String> types = new HashSet<>(code.keySet());
        types.addAll(builder.elsewhere());
        Node node = new Node(store, threads, settings, random, builder.nodeName(random), code);
        EmbeddedDormouse dormouse = new EmbeddedDormouse(store, threads, node, builder.payloads(), types);
        builder.workflows().forEach(workflow -> dormouse.definitions.put(workflow.name(), workflow));
        return dormouse;
    }

    private static Map<String, RunCode> code(DormouseBuilder builder, Threads threads) {
        Payloads payloads = builder.payloads();
        Map<Class<?>, Object> activities = Map.copyOf(builder.activities());
        Map<String, RunCode> code = new HashMap<>();
        for (WorkflowDefinition workflow : builder.workflows()) {
            RunCode runs = new ReplayedCode(
                    run -> {
                        RunContext context = new RunContext(run, payloads, activities);
                        run.attach(context);
                        return workflow.body().run(context, run.started().input(), payloads);
                    },
                    threads,
                    false);
            if (code.put(workflow.name(), runs) != null) {
                throw new DormouseException(
                        ErrorCode.BAD_ARGUMENT,
                        "Expected one workflow of each name, but '" + workflow.name()
                                + "' is registered twice. Rename one with @WorkflowMethod(name = …).");
            }
        }
        return code;
    }

    @Override
    public <W> W workflow(Class<W> type, String workflowId) {
        return workflow(type, workflowId, StartOptions.DEFAULT);
    }

    @Override
    public <W> W workflow(Class<W> type, String workflowId, StartOptions options) {
        return WorkflowStub.of(this, type, workflowId, options);
    }

    @Override
    @SuppressWarnings("unchecked") // the handle decodes to the method's return type
    public <R extends @Nullable Object> WorkflowHandle<R> start(Supplier<R> stubCall) {
        return (WorkflowHandle<R>) start(WorkflowStub.capture(stubCall));
    }

    @Override
    @SuppressWarnings("unchecked") // a method without a result
    public WorkflowHandle<Void> start(Runnable stubCall) {
        return (WorkflowHandle<Void>) start(WorkflowStub.capture(stubCall));
    }

    WorkflowHandle<?> start(WorkflowStub.Call call) {
        return start(node::start, call);
    }

    @Override
    public <R> WorkflowHandle<R> start(String type, String workflowId, Class<R> resultType, @Nullable Object... input) {
        return start(StartOptions.DEFAULT, type, workflowId, resultType, input);
    }

    @Override
    public <R> WorkflowHandle<R> start(
            StartOptions options, String type, String workflowId, Class<R> resultType, @Nullable Object... input) {
        return start(node::start, options, type, workflowId, resultType, input);
    }

    private WorkflowHandle<?> start(Function<NewRun, StartedRun> how, WorkflowStub.Call call) {
        Type result = call.method().getGenericReturnType();
        return start(how, call.options(), call.type(), call.workflowId(), result, call.arguments());
    }

    private <R> WorkflowHandle<R> start(
            Function<NewRun, StartedRun> how,
            StartOptions options,
            String type,
            String workflowId,
            Type resultType,
            @Nullable Object[] input) {
        checkType(type);
        checkId(workflowId);
        List<Payload> payload = payloads.encodeAll(input);
        WorkflowDefinition known = definitions.get(type);
        if (known != null) {
            known.checkInput(payload, payloads);
        }
        StartedRun started = how.apply(new NewRun(
                workflowId,
                type,
                payload,
                options.startAt().orElse(null),
                options.startDelay().orElse(null),
                options.executionTimeout().orElse(null),
                options.memo(),
                options.idReuse().replaces()));
        if (!started.isNew() && options.idReuse() == IdReuse.REJECT) {
            throw new WorkflowIdTaken(workflowId, started.runId());
        }
        return new RunHandle<>(node, payloads, workflowId, started.runId(), resultType);
    }

    private void checkType(String type) {
        if (!types.contains(type)) {
            throw new DormouseException(
                    ErrorCode.UNKNOWN_WORKFLOW_TYPE,
                    "Expected a workflow type that is registered here, one of " + types + ", but got '" + type
                            + "'. Register it with workflow(…), or with workflowElsewhere(…) if other nodes execute it.");
        }
    }

    private static void checkId(String workflowId) {
        boolean isOdd = workflowId.indexOf('\0') >= 0 || !Replay.isWhole(workflowId);
        if (workflowId.isEmpty() || workflowId.length() > MAX_ID || isOdd) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected a workflow id of 1 to " + MAX_ID + " whole characters without NUL, but got one of "
                            + workflowId.length() + ". Choose another one.");
        }
    }

    @Override
    public <R> Optional<WorkflowHandle<R>> find(String workflowId, Class<R> resultType) {
        checkId(workflowId);
        return node.current(workflowId)
                .map(row -> new RunHandle<>(node, payloads, workflowId, row.runId(), resultType));
    }

    @Override
    public Within within(Connection connection) {
        return new InTransaction(connection);
    }

    private final class InTransaction implements Within {
        private final Connection connection;

        InTransaction(Connection connection) {
            this.connection = connection;
        }

        @Override
        public <R> WorkflowHandle<R> start(
                String type, String workflowId, Class<R> resultType, @Nullable Object... input) {
            return start(StartOptions.DEFAULT, type, workflowId, resultType, input);
        }

        @Override
        public <R> WorkflowHandle<R> start(
                StartOptions options, String type, String workflowId, Class<R> resultType, @Nullable Object... input) {
            return EmbeddedDormouse.this.start(this::startWithin, options, type, workflowId, resultType, input);
        }

        @Override
        @SuppressWarnings("unchecked") // the handle decodes to the method's return type
        public <R extends @Nullable Object> WorkflowHandle<R> start(Supplier<R> stubCall) {
            return (WorkflowHandle<R>) EmbeddedDormouse.this.start(this::startWithin, WorkflowStub.capture(stubCall));
        }

        @Override
        @SuppressWarnings("unchecked") // a method without a result
        public WorkflowHandle<Void> start(Runnable stubCall) {
            return (WorkflowHandle<Void>)
                    EmbeddedDormouse.this.start(this::startWithin, WorkflowStub.capture(stubCall));
        }

        private StartedRun startWithin(NewRun run) {
            return node.startWithin(connection, run);
        }
    }

    @Override
    public RunList list(ListOptions options) {
        RunFilter filter = new RunFilter(
                options.workflowIdPrefix().orElse(null), options.type().orElse(null), options.statuses());
        ListCursor cursor = ListCursor.of(options.page(), store.shards());
        RunPage page = node.list(cursor.shard(), filter, cursor.inShard(), options.limit());
        return new RunList(
                page.runs().stream()
                        .map(row -> RunDescription.of(row, Map.of()))
                        .toList(),
                cursor.next(page.next(), store.shards()));
    }

    @Override
    public void backup(Path target) {
        store.backup(target);
    }

    @Override
    public void close() {
        node.close();
        threads.close();
        store.close();
    }
}
