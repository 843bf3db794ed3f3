package dev.dormouse.dag;

import static dev.dormouse.dag.data.BadDag.required;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.IdReuse;
import dev.dormouse.Plugin;
import dev.dormouse.PluginHost;
import dev.dormouse.StartOptions;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.dag.data.BadDag;
import dev.dormouse.dag.data.Path;
import dev.dormouse.dag.data.Tree;
import dev.dormouse.dag.model.Definition;
import dev.dormouse.dag.run.ApprovalToken;
import dev.dormouse.dag.run.DagCode;
import dev.dormouse.dag.run.DagWorkflow;
import dev.dormouse.dag.run.Library;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The DAGs of a {@link Dormouse}: add one to its builder with {@link DormouseBuilder#with}. Thread-safe. A node that has it
 * executes runs of all DAGs in the store, whoever registered them, as far as it or others have their activities.
 *
 * <p>Values go through the node's codec as maps, lists, texts, numbers, booleans and null; one that can write and read
 * these will do, as the default one does.
 */
public final class Dags implements Plugin {
    private final List<Dag> own;
    private @Nullable Registry registry;

    private Dags(List<Dag> own) {
        this.own = own;
    }

    /** With definitions that are stored when the Dormouse opens, if they are not there. */
    public static Dags of(Dag... dags) {
        return new Dags(Stream.of(required(dags, "DAGs"))
                .map(dag -> required(dag, "a DAG"))
                .toList());
    }

    @Override
    public void register(DormouseBuilder builder) {
        builder.workflowFamily(DagWorkflow.FAMILY, DagWorkflow.class, () -> new DagCode(registry()));
    }

    @Override
    public synchronized void opening(PluginHost newHost) {
        if (registry != null) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected one Dags for each Dormouse, but this one is part of another. Make a new one.");
        }
        Registry newRegistry = new Registry(newHost);
        own.forEach(newRegistry::put);
        newRegistry.serveAll();
        newHost.nowAndThen(newRegistry::lookForNew);
        registry = newRegistry;
    }

    private synchronized Registry registry() {
        if (registry == null) {
            throw new DormouseException(
                    ErrorCode.DORMOUSE_CLOSED,
                    "Expected these DAGs to be part of an open Dormouse, but they are not. Add them with "
                            + "Dormouse.builder().with(…), and open it.");
        }
        return registry;
    }

    private Dormouse dormouse() {
        return registry().host().dormouse();
    }

    // ---- definitions

    /**
     * Stores a definition, for all nodes. One that is there already is left as it is.
     *
     * @throws DormouseException DAG_CHANGED where this version is there with another content
     */
    public void register(Dag dag) {
        registry().put(required(dag, "a DAG"));
    }

    /** The latest version of a DAG. */
    public Optional<Dag> find(String name) {
        return registry().find(required(name, "the name of a DAG"), 0);
    }

    /** A version of a DAG. */
    public Optional<Dag> find(String name, int version) {
        return version < 1 ? Optional.empty() : registry().find(required(name, "the name of a DAG"), version);
    }

    /** The latest version of every DAG, by name. */
    public List<Dag> list() {
        return registry().all();
    }

    // ---- runs

    /**
     * Starts the latest version of a DAG. Where the workflow id has a run already, open or closed, that is returned. A DAG
     * with an idempotency key or a singleton chooses its own workflow ids: see {@link #start(String, Object)}.
     */
    public DagRun start(String name, String workflowId, @Nullable Object input) {
        Dag dag = latest(name);
        Definition definition = dag.definition();
        if (definition.singleton() || definition.idempotencyKey() != null) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected a start of DAG '" + name + "' without a workflow id, because "
                            + (definition.singleton() ? "it is a singleton" : "it has an idempotency key")
                            + ", but got '" + workflowId + "'. Leave the id out.");
        }
        return start(dag, workflowId, StartOptions.DEFAULT, input);
    }

    /** The same with a workflow id that comes from its idempotency key or its name, or is new. */
    public DagRun start(String name, @Nullable Object input) {
        Dag dag = latest(name);
        Definition definition = dag.definition();
        if (definition.singleton()) {
            return start(dag, name, StartOptions.DEFAULT.idReuse(IdReuse.START_NEW), input);
        }
        Path key = definition.idempotencyKey();
        String id = key == null ? UUID.randomUUID().toString() : key(key, input);
        return start(dag, name + "/" + id, StartOptions.DEFAULT, input);
    }

    /** The same with options, of which memo, priority and start delay are of use. */
    public DagRun start(String name, String workflowId, StartOptions options, @Nullable Object input) {
        return start(latest(name), workflowId, required(options, "start options"), input);
    }

    private static String key(Path path, @Nullable Object input) {
        Object key = path.in(Tree.of(Map.of("input", input == null ? Map.of() : input)));
        if (key instanceof Map
                || key instanceof List
                || key == null
                || key.toString().isEmpty()) {
            throw BadDag.data("Expected a text or a number as idempotency key at " + path + ", but it is "
                    + Tree.kind(key) + ". Correct the input.");
        }
        return key instanceof Number ? Tree.number(key).stripTrailingZeros().toPlainString() : key.toString();
    }

    private Dag latest(String name) {
        return find(name).orElseThrow(() -> Registry.unknown(name, 0));
    }

    private DagRun start(Dag dag, String workflowId, StartOptions options, @Nullable Object input) {
        Definition definition = dag.definition();
        StartOptions all = options.memo(DagWorkflow.VERSION, Integer.toString(dag.version()));
        if (definition.runLimit() > 0) {
            all = all.queue(Library.queue(definition));
        }
        String type = DagWorkflow.FAMILY + ":" + dag.name();
        return new DagRun(this, dormouse().start(all, type, workflowId, Object.class, input));
    }

    /** The latest run of a workflow id. */
    public Optional<DagRun> run(String workflowId) {
        return dormouse().find(workflowId, Object.class).map(handle -> new DagRun(this, handle));
    }

    /** A certain run of a workflow id. */
    public Optional<DagRun> run(String workflowId, UUID runId) {
        return dormouse().find(workflowId, runId, Object.class).map(handle -> new DagRun(this, handle));
    }

    // ---- approvals

    /**
     * Approves what a token is for. Works once.
     *
     * @param by who does
     * @throws DormouseException BAD_TOKEN for what is no token, TOKEN_USED when it was decided or its time is up
     */
    public void approve(String token, String by, String comment) {
        decide(token, true, by, comment);
    }

    /** Rejects what a token is for. Works once. */
    public void reject(String token, String by, String comment) {
        decide(token, false, by, comment);
    }

    private void decide(String text, boolean approved, String by, String comment) {
        ApprovalToken token = ApprovalToken.of(text);
        WorkflowHandle<Object> handle = dormouse()
                .find(token.workflowId(), Object.class)
                .filter(found -> found.describe().type().startsWith(DagWorkflow.FAMILY + ":"))
                .orElseThrow(() -> used(token));
        String verdict =
                decide(handle, token, approved, required(by, "who decides"), required(comment, "a comment, or \"\""));
        if (!DagWorkflow.Verdict.ACCEPTED.name().equals(verdict)) {
            throw used(token);
        }
    }

    private static @Nullable String decide(
            WorkflowHandle<Object> handle, ApprovalToken token, boolean approved, String by, String comment) {
        try {
            return handle.update(DagWorkflow.DECIDE, String.class, token.step(), token.secret(), approved, by, comment);
        } catch (DormouseException refused) {
            if (refused.code() == ErrorCode.RUN_CLOSED) {
                return DagWorkflow.Verdict.USED.name();
            }
            throw refused;
        }
    }

    private static DormouseException used(ApprovalToken token) {
        return new DormouseException(
                ErrorCode.TOKEN_USED,
                "Expected an approval that waits for a decision, but step '" + token.step() + "' of workflow id '"
                        + token.workflowId() + "' does not, or not for this one: it was decided, or its time is up. A "
                        + "token counts once.");
    }
}
