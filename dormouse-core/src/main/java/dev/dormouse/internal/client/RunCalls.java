package dev.dormouse.internal.client;

import dev.dormouse.codec.Payload;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.UpdateFailedException;
import dev.dormouse.inspect.NodeProfile;
import dev.dormouse.inspect.WaitDescription;
import dev.dormouse.internal.engine.Node;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.Failure;
import dev.dormouse.internal.history.Message;
import dev.dormouse.internal.run.FailedElsewhere;
import dev.dormouse.internal.run.Families;
import dev.dormouse.internal.value.Ids;
import dev.dormouse.internal.value.Payloads;
import dev.dormouse.internal.value.RecordedValues;
import dev.dormouse.internal.workflow.RunMail;
import dev.dormouse.internal.workflow.WorkflowDefinition;
import dev.dormouse.internal.workflow.WorkflowMethods;
import dev.dormouse.store.run.RunRow;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Signals, updates and queries from outside of a run. They are checked against the workflow's interface if it is
 * registered on this node. Thread-safe.
 */
public final class RunCalls {
    public static final Duration UPDATE_TIME = Duration.ofMinutes(1);
    public static final Duration QUERY_TIME = Duration.ofSeconds(10);

    private final Node node;
    private final Payloads payloads;
    private final Map<String, WorkflowDefinition> definitions;

    public RunCalls(Node node, Payloads payloads, Map<String, WorkflowDefinition> definitions) {
        this.node = node;
        this.payloads = payloads;
        this.definitions = definitions;
    }

    public void signal(
            String type,
            String workflowId,
            String key,
            String name,
            @Nullable Object[] arguments,
            @Nullable List<Type> types) {
        CallGuard.changes("signal(…)", "Workflow.signal(…)");
        Ids.checkWorkflowId(workflowId);
        Ids.checkKey(key);
        node.signal(workflowId, key, message(type, name, arguments, types));
    }

    /**
     * Creates a signal for a run of this type.
     *
     * @param types the types of the arguments; null to use the registered types, if there are any
     */
    public Message.Signal message(String type, String name, @Nullable Object[] arguments, @Nullable List<Type> types) {
        Ids.checkSignal(name);
        List<Payload> encoded = encoded(type, name, arguments, types, WorkflowMethods::signals);
        check(type, ErrorCode.UNKNOWN_SIGNAL, "signal", name, encoded, WorkflowMethods::signals);
        return new Message.Signal(checked(name), encoded);
    }

    /**
     * Returns the row of the latest run of a workflow id.
     *
     * @param call the call that needs it, for the message in workflow code
     * @throws DormouseException RUN_NOT_FOUND if the id has no run; NOT_ALLOWED_HERE in workflow code
     */
    public RunRow latest(String call, String workflowId) {
        CallGuard.reads(call);
        return node.current(workflowId)
                .orElseThrow(() -> new DormouseException(
                        ErrorCode.RUN_NOT_FOUND,
                        "Expected a run of workflow id '" + workflowId
                                + "', but there is none. Start it first, or check the id."));
    }

    @Nullable
    public Object query(
            String type,
            String workflowId,
            UUID runId,
            String name,
            Type result,
            @Nullable Object[] arguments,
            @Nullable List<Type> types) {
        CallGuard.reads("query(…)");
        List<Payload> encoded = encoded(type, name, arguments, types, WorkflowMethods::queries);
        check(type, ErrorCode.UNKNOWN_QUERY, "query", name, encoded, WorkflowMethods::queries);
        return payloads.decode(ask(workflowId, runId, checked(name), encoded), result);
    }

    private Payload ask(String workflowId, UUID runId, String name, List<Payload> arguments) {
        try {
            return node.query(workflowId, runId, name, arguments, QUERY_TIME);
        } catch (FailedElsewhere failed) {
            throw failed.failure().isSealed() ? new FailedElsewhere(payloads.open(failed.failure())) : failed;
        }
    }

    @Nullable
    public Object update(
            String type,
            String workflowId,
            String id,
            Duration atMost,
            String name,
            Type result,
            @Nullable Object[] arguments,
            @Nullable List<Type> types) {
        CallGuard.changes("update(…)");
        Message.Update update = request(type, workflowId, id, name, arguments, types);
        return value(workflowId, name, node.update(workflowId, id, update, atMost), result);
    }

    /** Sends an update and returns a future of its result, which waits for at most {@link #UPDATE_TIME}. */
    public CompletableFuture<@Nullable Object> updateAsync(
            String type, String workflowId, String name, Type result, @Nullable Object[] arguments) {
        CallGuard.changes("updateAsync(…)");
        String id = UUID.randomUUID().toString();
        Message.Update update = request(type, workflowId, id, name, arguments, null);
        return node.updateAsync(workflowId, id, update, UPDATE_TIME, answer -> value(workflowId, name, answer, result));
    }

    /**
     * Creates an update for a run of this type.
     *
     * @param types the types of the arguments; null to use the registered types, if there are any
     */
    public Message.Update request(
            String type,
            String workflowId,
            String id,
            String name,
            @Nullable Object[] arguments,
            @Nullable List<Type> types) {
        Ids.checkWorkflowId(workflowId);
        Ids.checkKey(id);
        Ids.checkName(name);
        List<Payload> encoded = encoded(type, name, arguments, types, WorkflowMethods::updates);
        if (!name.equals(RunMail.MOVE_TIMER)) {
            check(type, ErrorCode.UNKNOWN_UPDATE, "update", name, encoded, WorkflowMethods::updates);
        }
        return new Message.Update(name, encoded);
    }

    /** Returns the result of an update, or throws its failure. */
    public @Nullable Object value(String workflowId, String name, Event.UpdateAnswered answer, Type result) {
        if (answer.failure() != null) {
            throw failed(payloads, workflowId, name, answer, answer.failure());
        }
        return result == void.class || result == Void.class ? null : payloads.decode(answer.result(), result);
    }

    public static UpdateFailedException failed(
            Payloads payloads, String workflowId, String update, Event.UpdateAnswered answer, Failure kept) {
        String what = answer.rejected() ? "was rejected" : "failed";
        return new UpdateFailedException(
                answer.rejected() ? ErrorCode.UPDATE_REJECTED : ErrorCode.UPDATE_FAILED,
                "Expected update '" + update + "' of workflow id '" + workflowId + "' to succeed, but it " + what + ": "
                        + payloads.open(kept).sentence() + " The run is not affected.",
                RecordedValues.exception(payloads, kept));
    }

    /** Returns the waits of a run, as reported by its code. */
    List<WaitDescription> waits(String workflowId, UUID runId) {
        return waits(node.query(workflowId, runId, RunMail.WAITS, List.of(), QUERY_TIME));
    }

    /** Returns the waits of a run, as reported by its code after a replay of {@code events}. */
    List<WaitDescription> waits(RunRow run, List<Event> events) {
        return waits(node.query(run, events, RunMail.WAITS, List.of(), QUERY_TIME));
    }

    private static List<WaitDescription> waits(Payload answer) {
        Object waits = Payloads.OWN.decode(answer, WaitDescription[].class);
        return List.of((WaitDescription[]) Objects.requireNonNull(waits));
    }

    /** Returns the names of the signals, queries and updates of a type; empty if it is not registered here. */
    Optional<NodeProfile.Methods> methods(String type) {
        return Optional.ofNullable(Families.find(definitions, type))
                .map(WorkflowDefinition::methods)
                .map(Descriptions::methods);
    }

    /**
     * Moves a wait. Names the run, because a later run of the same workflow id numbers its calls from the start again.
     */
    void moveWait(String workflowId, UUID runId, int call, Instant to, String reason) {
        UUID meant = node.identity(node.find(workflowId, runId));
        List<Payload> arguments = Payloads.OWN.encodeAll(new Object[] {call, to, reason, meant.toString()});
        Message.Update update = new Message.Update(RunMail.MOVE_WAIT, arguments);
        String id = UUID.randomUUID().toString();
        value(workflowId, RunMail.MOVE_WAIT, node.update(workflowId, id, update, UPDATE_TIME), Void.class);
    }

    private List<Payload> encoded(
            String type,
            String name,
            @Nullable Object @Nullable [] arguments,
            @Nullable List<Type> types,
            Function<WorkflowMethods, Map<String, Method>> which) {
        if (types != null) {
            return payloads.encodeAll(arguments, types);
        }
        WorkflowDefinition definition = definitions.get(type);
        Method method =
                definition == null ? null : which.apply(definition.methods()).get(name);
        return definition == null || method == null
                ? payloads.encodeAll(arguments)
                : payloads.encodeAll(arguments, definition.methods().parameters(method));
    }

    private static String checked(String name) {
        Ids.checkName(name);
        return name;
    }

    /**
     * Throws to the caller if the registered interface has no method {@code name}, or if that method does not accept
     * {@code arguments}. An interface without signal methods accepts every signal. Does nothing if no interface of the
     * type is registered on this node.
     */
    private void check(
            String type,
            ErrorCode code,
            String kind,
            String name,
            List<Payload> arguments,
            Function<WorkflowMethods, Map<String, Method>> which) {
        WorkflowDefinition definition = definitions.get(type);
        if (definition == null || definition.methods().workflow() == null) {
            return;
        }
        Map<String, Method> methods = which.apply(definition.methods());
        Method method = methods.get(name);
        if (method != null) {
            payloads.decodeAll(arguments, definition.methods().parameters(method));
        } else if (code != ErrorCode.UNKNOWN_SIGNAL || !methods.isEmpty()) {
            throw new DormouseException(
                    code,
                    "Expected a " + kind + " of workflow type '" + type + "', one of " + methods.keySet()
                            + ", but got '" + name + "'. Check the name, or add the method to the interface.");
        }
    }
}
