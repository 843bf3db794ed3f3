package dev.dormouse.dag;

import static dev.dormouse.dag.data.DagErrors.required;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.IdReuse;
import dev.dormouse.StartOptions;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.dag.data.DagErrors;
import dev.dormouse.dag.data.JsonTree;
import dev.dormouse.dag.data.Path;
import dev.dormouse.dag.model.DagDefinition;
import dev.dormouse.dag.run.ApprovalToken;
import dev.dormouse.dag.run.DagCode;
import dev.dormouse.dag.run.DagWorkflow;
import dev.dormouse.dag.run.DefinitionSource;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.plugin.Plugin;
import dev.dormouse.plugin.PluginHost;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The DAG plugin of a {@link Dormouse}: add it to the builder with {@link DormouseBuilder#plugin}. Thread-safe. A node
 * with this plugin executes the runs of all DAGs in the store, no matter which node registered them, if it or another
 * node has their activities.
 *
 * <p>Values pass through the node's codec as maps, lists, texts, numbers, booleans and null. Any codec that can write
 * and read these works; the default one does.
 *
 * <p>In addition to the codes that a method names, every method that accesses the store throws
 * {@link DormouseException} with DORMOUSE_CLOSED if this is not part of an open Dormouse, STORE_UNAVAILABLE if the
 * store does not respond, and BAD_DAG for null.
 */
public final class Dags implements Plugin {
    private final List<Dag> own;
    private @Nullable DagRegistry registry;

    private Dags(List<Dag> own) {
        this.own = own;
    }

    /**
     * Creates the plugin with definitions that are stored when the Dormouse opens, if the store does not have them yet.
     */
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
        DagRegistry newRegistry = new DagRegistry(newHost);
        own.forEach(newRegistry::put);
        newRegistry.serveAll();
        newHost.everySweep(newRegistry::lookForNew);
        registry = newRegistry;
    }

    private synchronized DagRegistry registry() {
        if (registry == null) {
            throw new DormouseException(
                    ErrorCode.DORMOUSE_CLOSED,
                    "Expected these DAGs to be part of an open Dormouse, but they are not. Add them with "
                            + "Dormouse.builder().plugin(…), and open it.");
        }
        return registry;
    }

    private Dormouse dormouse() {
        return registry().host().dormouse();
    }

    // ---- definitions

    /**
     * Stores a definition for all nodes. Has no effect if the store has it already.
     *
     * @throws DormouseException DAG_CHANGED if the store has this version with different content
     */
    public void register(Dag dag) {
        registry().put(required(dag, "a DAG"));
    }

    /** Returns the latest version of a DAG; empty if there is none. */
    public Optional<Dag> find(String name) {
        return registry().find(required(name, "the name of a DAG"), 0);
    }

    /** Returns the given version of a DAG; empty if there is none. */
    public Optional<Dag> find(String name, int version) {
        return version < 1 ? Optional.empty() : registry().find(required(name, "the name of a DAG"), version);
    }

    /** Returns the latest version of every DAG, sorted by name. */
    public List<Dag> list() {
        return registry().all();
    }

    // ---- runs

    /**
     * Starts the latest version of a DAG. If the workflow id already has a run, open or closed, that run is returned.
     * For a DAG with an idempotency key or a singleton, use {@link #start(String, Object)}, which derives the workflow
     * id.
     *
     * @param input the input, which steps find at {@code $.input}; may be null
     * @return the new or existing run
     * @throws DormouseException BAD_ARGUMENT if the DAG derives its own workflow ids, DAG_NOT_FOUND if there is no such
     *     DAG
     */
    public DagRun start(String name, String workflowId, @Nullable Object input) {
        Dag dag = latest(name);
        DagDefinition definition = dag.definition();
        if (definition.singleton() || definition.idempotencyKey() != null) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected a start of DAG '" + name + "' without a workflow id, because "
                            + (definition.singleton() ? "it is a singleton" : "it has an idempotency key")
                            + ", but got '" + workflowId + "'. Leave the id out.");
        }
        return start(dag, workflowId, StartOptions.DEFAULT, input);
    }

    /**
     * Starts the latest version of a DAG with a derived workflow id: from the idempotency key, or the DAG's name for a
     * singleton, or else a new one. If that id has a run, that run is returned; of a singleton, only if it is open.
     *
     * @param input the input, which steps find at {@code $.input}; may be null
     * @return the new or existing run
     * @throws DormouseException DAG_NOT_FOUND if there is no such DAG, DAG_DATA if {@code input} has no idempotency key
     */
    public DagRun start(String name, @Nullable Object input) {
        Dag dag = latest(name);
        DagDefinition definition = dag.definition();
        if (definition.singleton()) {
            return start(dag, name, StartOptions.DEFAULT.withIdReuse(IdReuse.START_NEW), input);
        }
        Path key = definition.idempotencyKey();
        String id = key == null ? UUID.randomUUID().toString() : key(key, input);
        return start(dag, name + "/" + id, StartOptions.DEFAULT, input);
    }

    /**
     * Starts the latest version of a DAG with the given options. Memo, priority and start delay are useful here. If the
     * DAG has a {@link DagBuilder#runLimit}, its queue replaces the one in {@code options}.
     *
     * @param input the input, which steps find at {@code $.input}; may be null
     * @return the new run, or an existing run as {@link StartOptions#idReuse} says
     * @throws DormouseException DAG_NOT_FOUND if there is no such DAG
     */
    public DagRun start(String name, String workflowId, StartOptions options, @Nullable Object input) {
        return start(latest(name), workflowId, required(options, "start options"), input);
    }

    private static String key(Path path, @Nullable Object input) {
        Object key = path.in(JsonTree.of(Map.of("input", input == null ? Map.of() : input)));
        if (key instanceof Map
                || key instanceof List
                || key == null
                || key.toString().isEmpty()) {
            throw DagErrors.data("Expected a text or a number as idempotency key at " + path + ", but it is "
                    + JsonTree.kind(key) + ". Correct the input.");
        }
        return key instanceof Number ? JsonTree.number(key).stripTrailingZeros().toPlainString() : key.toString();
    }

    private Dag latest(String name) {
        return find(name).orElseThrow(() -> DagRegistry.unknown(name, 0));
    }

    private DagRun start(Dag dag, String workflowId, StartOptions options, @Nullable Object input) {
        DagDefinition definition = dag.definition();
        StartOptions all = options.withMemo(DagWorkflow.VERSION, Integer.toString(dag.version()));
        if (definition.runLimit() > 0) {
            all = all.withQueue(DefinitionSource.queue(definition));
        }
        String type = DagWorkflow.FAMILY + ":" + dag.name();
        return new DagRun(this, dormouse().start(type, workflowId, all, Object.class, input));
    }

    /** Returns the latest run of a workflow id; empty if there is none. */
    public Optional<DagRun> run(String workflowId) {
        return dormouse().find(workflowId, Object.class).map(handle -> new DagRun(this, handle));
    }

    /** Returns the run {@code runId} of a workflow id; empty if there is none. */
    public Optional<DagRun> run(String workflowId, UUID runId) {
        return dormouse().find(workflowId, runId, Object.class).map(handle -> new DagRun(this, handle));
    }

    // ---- approvals

    /**
     * Approves the step that {@code token} belongs to. A token works once.
     *
     * @param by the name of the person who approves
     * @throws DormouseException BAD_TOKEN if {@code token} is malformed, TOKEN_USED if the approval was decided or has
     *     timed out
     */
    public void approve(String token, String by, String comment) {
        decide(token, true, by, comment);
    }

    /**
     * Rejects the step that {@code token} belongs to. A token works once.
     *
     * @param by the name of the person who rejects
     * @throws DormouseException BAD_TOKEN if {@code token} is malformed, TOKEN_USED if the approval was decided or has
     *     timed out
     */
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
