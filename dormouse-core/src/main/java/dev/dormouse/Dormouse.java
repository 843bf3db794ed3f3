package dev.dormouse;

import dev.dormouse.error.UpdateFailedException;
import dev.dormouse.error.WorkflowIdTakenException;
import dev.dormouse.inspect.ListOptions;
import dev.dormouse.inspect.NodeProfile;
import dev.dormouse.inspect.RunList;
import dev.dormouse.inspect.Statistics;
import dev.dormouse.inspect.StoreOutage;
import dev.dormouse.schedule.Schedules;
import dev.dormouse.timer.SqlTimers;
import dev.dormouse.timer.TimerScheduler;
import dev.dormouse.timer.Timers;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Durable workflows inside your program, on a database that you already have. Open one instance per process and store,
 * and close it when the process ends. {@link #close} gives running code time to finish; then other nodes continue its
 * runs at once. Thread-safe.
 *
 * <pre>{@code
 * try (Dormouse dormouse = Dormouse.builder()
 *         .store("sqlite:trial.db")
 *         .workflow(Trial.class, TrialWorkflow::new)
 *         .activities(Mail.class, new SmtpMail())
 *         .open()) {
 *   Trial trial = dormouse.workflow(Trial.class, "trial-ada");
 *   WorkflowHandle<String> handle = dormouse.start(() -> trial.run("ada"));
 *   handle.result();
 * }
 * }</pre>
 *
 * <p>Not for workflow code, which is executed again after every longer wait: each replay would repeat the call. In
 * workflow code, all methods except those that create stubs and handles throw NOT_ALLOWED_HERE. So do the methods of handles,
 * timers and schedules; use {@link Workflow} instead. Steps, activities and timer handlers may call everything.
 * Transaction steps may only read, and call {@link #within}.
 *
 * <p>In addition to the codes that a method names, every method that accesses the store throws
 * {@link dev.dormouse.error.DormouseException} with one of these codes: DORMOUSE_CLOSED after {@link #close}; READ_ONLY
 * for a change, if it was opened with {@link DormouseBuilder#readOnly}; STORE_UNAVAILABLE if the store does not
 * respond; BAD_ARGUMENT for a null or invalid argument.
 */
public interface Dormouse extends AutoCloseable {

    /** Returns a new builder. Everything except the store has a default. */
    static DormouseBuilder builder() {
        return new DormouseBuilder();
    }

    /**
     * Returns a new builder for a client: a Dormouse that starts, signals, queries, updates and watches workflows of all
     * types, and leaves their execution to other nodes on the same database. It is {@code builder()} with
     * {@link DormouseBuilder#anyRemoteWorkflow}. A SQLite file has only one process at a time, so a client needs
     * PostgreSQL.
     *
     * <pre>{@code
     * try (Dormouse client = Dormouse.client().store("jdbc:postgresql://localhost/shop").open()) {
     *     client.start("order", "order-17", Receipt.class, cart);
     * }
     * }</pre>
     */
    static DormouseBuilder client() {
        return builder().anyRemoteWorkflow();
    }

    /**
     * Creates a stub for a workflow id. A call of its workflow method starts a run, or finds the existing one, and
     * waits for the result.
     *
     * @throws dev.dormouse.error.DormouseException BAD_WORKFLOW_INTERFACE if {@code type} is not a valid workflow
     *     interface, or another interface is registered under its name; BAD_ARGUMENT for null
     */
    <W> W workflow(Class<W> type, String workflowId);

    /**
     * Creates a stub for a workflow id, with options for the start. A call of its workflow method starts a run, or
     * finds the existing one, and waits for the result.
     *
     * @throws dev.dormouse.error.DormouseException BAD_WORKFLOW_INTERFACE if {@code type} is not a valid workflow
     *     interface, or another interface is registered under its name; BAD_ARGUMENT for null
     */
    <W> W workflow(Class<W> type, String workflowId, StartOptions options);

    /**
     * Creates a stub for a new workflow, whose id is a generated UUID. Each stub is one workflow: a second call of its
     * workflow method returns the result of the same run. Generate the id yourself if a start must be repeatable after
     * a crash of the caller.
     *
     * @throws dev.dormouse.error.DormouseException as {@link #workflow(Class, String)}
     */
    default <W> W workflow(Class<W> type) {
        return workflow(type, StartOptions.DEFAULT);
    }

    /**
     * Creates a stub for a new workflow, whose id is a generated UUID, with options for the start. Each stub is one
     * workflow, as for {@link #workflow(Class)}.
     *
     * @throws dev.dormouse.error.DormouseException as {@link #workflow(Class, String, StartOptions)}
     */
    <W> W workflow(Class<W> type, StartOptions options);

    /**
     * Starts the workflow that {@code stubCall} calls on a stub, and returns without waiting for its result. If the
     * workflow id already has a run, open or closed, returns that run, even if its input was different.
     * {@link StartOptions#idReuse} changes this for closed runs.
     *
     * @param stubCall makes exactly one call of a workflow method on a stub
     * @throws WorkflowIdTakenException if the id has a run, and the options say {@link IdReuse#REJECT}
     * @throws dev.dormouse.error.DormouseException BAD_STUB_CALL if {@code stubCall} does not make exactly one such
     *     call; UNKNOWN_WORKFLOW_TYPE if the type is not registered; INSTANT_OUT_OF_RANGE if a delay or timeout is too
     *     long; STORE_UNAVAILABLE if the store does not respond in time, then call again with the same workflow id
     */
    <R extends @Nullable Object> WorkflowHandle<R> start(Supplier<R> stubCall);

    /**
     * Starts the workflow without a result that {@code stubCall} calls on a stub, and returns without waiting for its
     * end. If the workflow id already has a run, returns that run, as {@link #start(Supplier)} does.
     *
     * @param stubCall makes exactly one call of a workflow method on a stub
     * @param none always empty: with it, a Kotlin lambda {@code start { … }} returns its result
     * @throws WorkflowIdTakenException if the id has a run, and the options say {@link IdReuse#REJECT}
     * @throws dev.dormouse.error.DormouseException as {@link #start(Supplier)}
     */
    WorkflowHandle<Void> start(Runnable stubCall, Void... none);

    /**
     * Starts the workflow that {@code stubCall} calls on a stub, without waiting for the store. Starts that are on their
     * way at the same time share a transaction. If the workflow id already has a run, the future has that run, as for
     * {@link #start(Supplier)}. Cancelling the future does not cancel the start. The caller limits how many starts are on
     * their way, because each is kept in memory.
     *
     * <p>The future fails with {@link WorkflowIdTakenException} if the id has a run, and the options say
     * {@link IdReuse#REJECT}. It fails with {@link dev.dormouse.error.DormouseException} STORE_UNAVAILABLE if the store
     * does not respond in time, and DORMOUSE_CLOSED if this Dormouse closes first; then start again with the same
     * workflow id.
     *
     * @param stubCall makes exactly one call of a workflow method on a stub; for a method without a result, let it
     *     return null
     * @throws dev.dormouse.error.DormouseException BAD_STUB_CALL, UNKNOWN_WORKFLOW_TYPE or INSTANT_OUT_OF_RANGE as
     *     {@link #start(Supplier)}
     */
    <R extends @Nullable Object> CompletableFuture<WorkflowHandle<R>> startAsync(Supplier<R> stubCall);

    /**
     * Starts many workflows of one type, with one input each. The starts share few transactions, so this is much faster
     * than a loop. Ids that already have a run return that run, as {@link #start(Supplier)} does.
     *
     * <p>Starts nothing if an id or an input is invalid. If a start fails, the others still happen, and the first problem
     * is thrown after all were answered. A repeated call with the same ids starts only those that are missing.
     *
     * @param inputsById the input of each workflow by its workflow id; inputs may be null
     * @return the handles, in the order of the map
     * @throws dev.dormouse.error.DormouseException as {@link #start(String, String, Class, Object...)}
     */
    default <R> List<WorkflowHandle<R>> startAll(
            String type, Map<String, ? extends @Nullable Object> inputsById, Class<R> resultType) {
        return startAll(type, inputsById, StartOptions.DEFAULT, TypeRef.of(resultType));
    }

    /**
     * Starts many workflows of one type, with one input each, the same options, and a result that may have type
     * parameters; see {@link #startAll(String, Map, Class)}.
     *
     * @param inputsById the input of each workflow by its workflow id; inputs may be null
     * @return the handles, in the order of the map
     * @throws WorkflowIdTakenException if an id has a run, and the options say {@link IdReuse#REJECT}
     * @throws dev.dormouse.error.DormouseException INSTANT_OUT_OF_RANGE if a delay or timeout is too long;
     *     otherwise as {@link #start(String, String, Class, Object...)}
     */
    <R> List<WorkflowHandle<R>> startAll(
            String type,
            Map<String, ? extends @Nullable Object> inputsById,
            StartOptions options,
            TypeRef<R> resultType);

    /**
     * Starts a workflow by the name of its type. If the workflow id already has a run, returns that run, as
     * {@link #start(Supplier)} does.
     *
     * @throws dev.dormouse.error.DormouseException UNKNOWN_WORKFLOW_TYPE if the type is not registered;
     *     PAYLOAD_DOES_NOT_FIT if {@code input} does not fit the registered type; PAYLOAD_NOT_SERIALIZABLE or
     *     PAYLOAD_TOO_LARGE if it cannot be stored; STORE_UNAVAILABLE if the store does not respond in time, then call
     *     again with the same workflow id
     */
    default <R> WorkflowHandle<R> start(
            String type, String workflowId, Class<R> resultType, @Nullable Object... input) {
        return start(type, workflowId, StartOptions.DEFAULT, TypeRef.of(resultType), input);
    }

    /**
     * Starts a workflow by the name of its type, with a result that has type parameters. If the workflow id already has
     * a run, returns that run, as {@link #start(Supplier)} does.
     *
     * @throws dev.dormouse.error.DormouseException as {@link #start(String, String, Class, Object...)}
     */
    default <R> WorkflowHandle<R> start(
            String type, String workflowId, TypeRef<R> resultType, @Nullable Object... input) {
        return start(type, workflowId, StartOptions.DEFAULT, resultType, input);
    }

    /**
     * Starts a new workflow by the name of its type. Its id is a generated UUID, which the handle returns. Every call
     * starts another workflow: use {@link #start(String, String, Class, Object...)} with an id of your own if a start
     * must be repeatable after an error or a crash.
     *
     * @throws dev.dormouse.error.DormouseException STORE_UNAVAILABLE if the store does not respond in time, then the
     *     message names the generated id; otherwise as {@link #start(String, String, Class, Object...)}
     */
    default <R> WorkflowHandle<R> start(String type, Class<R> resultType, @Nullable Object... input) {
        return start(type, TypeRef.of(resultType), input);
    }

    /**
     * Starts a new workflow by the name of its type, with a result that has type parameters. Its id is a generated
     * UUID, which the handle returns. Every call starts another workflow.
     *
     * @throws dev.dormouse.error.DormouseException as {@link #start(String, Class, Object...)}
     */
    <R> WorkflowHandle<R> start(String type, TypeRef<R> resultType, @Nullable Object... input);

    /**
     * Starts a workflow by the name of its type, with the given options. If the workflow id already has a run, returns
     * that run, as {@link #start(Supplier)} does.
     *
     * @throws WorkflowIdTakenException if the id has a run, and the options say {@link IdReuse#REJECT}
     * @throws dev.dormouse.error.DormouseException INSTANT_OUT_OF_RANGE if a delay or timeout is too long;
     *     otherwise as {@link #start(String, String, Class, Object...)}
     */
    default <R> WorkflowHandle<R> start(
            String type, String workflowId, StartOptions options, Class<R> resultType, @Nullable Object... input) {
        return start(type, workflowId, options, TypeRef.of(resultType), input);
    }

    /**
     * Starts a workflow by the name of its type, with the given options and a result that has type parameters. If the
     * workflow id already has a run, returns that run, as {@link #start(Supplier)} does.
     *
     * @throws WorkflowIdTakenException if the id has a run, and the options say {@link IdReuse#REJECT}
     * @throws dev.dormouse.error.DormouseException INSTANT_OUT_OF_RANGE if a delay or timeout is too long;
     *     otherwise as {@link #start(String, String, Class, Object...)}
     */
    <R> WorkflowHandle<R> start(
            String type, String workflowId, StartOptions options, TypeRef<R> resultType, @Nullable Object... input);

    /**
     * Completes the activity that handed out {@code token} with {@link Activity#completeLater}. Each token works once.
     *
     * @param result the result of the activity, may be null
     * @throws dev.dormouse.error.DormouseException BAD_TOKEN if {@code token} is not a token, or was not handed
     *     out; TOKEN_USED if the activity has ended
     */
    void completeActivity(String token, @Nullable Object result);

    /**
     * Fails the attempt of the activity that handed out {@code token} with {@link Activity#completeLater}. The activity
     * is tried again if its retry policy allows it. Each token works once.
     *
     * @throws dev.dormouse.error.DormouseException BAD_TOKEN if {@code token} is not a token, or was not handed
     *     out; TOKEN_USED if the activity has ended; PAYLOAD_TOO_LARGE or PAYLOAD_NOT_SERIALIZABLE if the details of
     *     {@code problem} cannot be stored
     */
    void failActivity(String token, Throwable problem);

    /**
     * Starts the workflow that {@code startCall} calls on a stub, and sends it the signal that {@code signalCall} calls
     * on the same stub. A new run receives the signal before its first line executes. If the workflow id has an open
     * run, that run receives the signal. Returns the run that receives it.
     *
     * @throws WorkflowIdTakenException if the id has a run, and the options say {@link IdReuse#REJECT}
     * @throws dev.dormouse.error.DormouseException RUN_CLOSED if the id has a closed run that the options do not
     *     replace; BAD_STUB_CALL if the two calls are not one workflow method and one signal method for the same
     *     workflow id; UNKNOWN_WORKFLOW_TYPE or UNKNOWN_SIGNAL if the type or signal is not known
     */
    <R extends @Nullable Object> WorkflowHandle<R> signalWithStart(Supplier<R> startCall, Runnable signalCall);

    /**
     * Starts the workflow without a result that {@code startCall} calls on a stub, and sends it the signal that
     * {@code signalCall} calls on the same stub. A new run receives the signal before its first line executes. If the
     * workflow id has an open run, that run receives the signal.
     *
     * @throws WorkflowIdTakenException if the id has a run, and the options say {@link IdReuse#REJECT}
     * @param none always empty: with it, a Kotlin lambda for the start returns its result
     * @throws dev.dormouse.error.DormouseException as {@link #signalWithStart(Supplier, Runnable)}
     */
    WorkflowHandle<Void> signalWithStart(Runnable startCall, Runnable signalCall, Void... none);

    /**
     * Starts a workflow by the name of its type, and sends it a signal by name. A new run receives the signal before
     * its first line executes. If the workflow id has an open run, that run receives the signal.
     * Returns the run that receives it.
     *
     * @throws WorkflowIdTakenException if the id has a run, and the options say {@link IdReuse#REJECT}
     * @throws dev.dormouse.error.DormouseException RUN_CLOSED if the id has a closed run that the options do not
     *     replace; UNKNOWN_WORKFLOW_TYPE or UNKNOWN_SIGNAL if the type or signal is not known
     */
    default <R> WorkflowHandle<R> signalWithStart(
            String type,
            String workflowId,
            StartOptions options,
            Class<R> resultType,
            List<?> input,
            String signal,
            @Nullable Object... arguments) {
        return signalWithStart(type, workflowId, options, TypeRef.of(resultType), input, signal, arguments);
    }

    /**
     * Starts a workflow by the name of its type, with a result that has type parameters, and sends it a signal by name.
     * A new run receives the signal before its first line executes. If the workflow id has an open run, that run
     * receives the signal. Returns the run that receives it.
     *
     * @throws WorkflowIdTakenException if the id has a run, and the options say {@link IdReuse#REJECT}
     * @throws dev.dormouse.error.DormouseException RUN_CLOSED if the id has a closed run that the options do not
     *     replace; UNKNOWN_WORKFLOW_TYPE or UNKNOWN_SIGNAL if the type or signal is not known
     */
    <R> WorkflowHandle<R> signalWithStart(
            String type,
            String workflowId,
            StartOptions options,
            TypeRef<R> resultType,
            List<?> input,
            String signal,
            @Nullable Object... arguments);

    /**
     * Sends the update that {@code updateCall} calls on a stub, and returns its result. If the workflow id has no open run,
     * starts the workflow that {@code startCall} calls on the same stub, in the same transaction: the update is a part of
     * the start. A new run receives the update before its first line executes. Waits for at most a minute.
     *
     * <pre>{@code
     * Cart cart = dormouse.workflow(Cart.class, "cart-" + customer);
     * int total = dormouse.updateWithStart(() -> cart.shop(customer), () -> cart.add(item));
     * }</pre>
     *
     * <p>If the validator refuses the update, the run that was started stays: it has received an update that had no
     * effect. A closed run is replaced, or not, as {@link StartOptions#idReuse} says.
     *
     * <p>Each call is an update of its own. To be able to repeat a call, give it an id
     * ({@link #updateWithStart(String, Duration, Runnable, Supplier)}).
     *
     * @param startCall makes exactly one call of a workflow method on a stub
     * @param updateCall makes exactly one call of an update method on a stub
     * @throws UpdateFailedException UPDATE_REJECTED if the validator refuses it; UPDATE_FAILED if the handler throws
     * @throws WorkflowIdTakenException if the id has a run, and the options say {@link IdReuse#REJECT}
     * @throws dev.dormouse.error.DormouseException NOT_ANSWERED after a minute; RUN_CLOSED if the id has a closed run that
     *     the options do not replace, or if the run closes without an answer; BAD_STUB_CALL if the two calls are not one
     *     workflow method and one update method for the same workflow id; UNKNOWN_WORKFLOW_TYPE or UNKNOWN_UPDATE if the
     *     type or update is not known; STORE_UNAVAILABLE if the store does not respond in time
     */
    <T extends @Nullable Object> T updateWithStart(Runnable startCall, Supplier<T> updateCall);

    /**
     * Sends the update without a result that {@code updateCall} calls on a stub, and waits for its end. If the workflow id
     * has no open run, starts the workflow that {@code startCall} calls on the same stub. See
     * {@link #updateWithStart(Runnable, Supplier)}.
     *
     * @param none always empty: with it, a Kotlin lambda for the update returns its result
     * @throws UpdateFailedException UPDATE_REJECTED if the validator refuses it; UPDATE_FAILED if the handler throws
     * @throws WorkflowIdTakenException if the id has a run, and the options say {@link IdReuse#REJECT}
     * @throws dev.dormouse.error.DormouseException as {@link #updateWithStart(Runnable, Supplier)}
     */
    void updateWithStart(Runnable startCall, Runnable updateCall, Void... none);

    /**
     * Sends the update that {@code updateCall} calls on a stub under an id, and waits for its result for at most
     * {@code atMost}. If the workflow id has no open run, starts the workflow that {@code startCall} calls on the same
     * stub; see {@link #updateWithStart(Runnable, Supplier)}.
     *
     * <p>A repeated call with the same id does not execute the update again, and returns the same result, even if the run
     * has closed. It also starts no further run. The id is forgotten when the run that was started with it has closed
     * and another run has replaced it.
     *
     * @param updateCall makes exactly one call of an update method on a stub; for a method without a result, let it
     *     return null
     * @throws UpdateFailedException UPDATE_REJECTED if the validator refuses it; UPDATE_FAILED if the handler throws
     * @throws WorkflowIdTakenException if the id has a run that was not started by this call, and the options say
     *     {@link IdReuse#REJECT}
     * @throws dev.dormouse.error.DormouseException NOT_ANSWERED after {@code atMost}; BAD_ARGUMENT if {@code updateId} is
     *     invalid; BAD_STUB_CALL if the two calls are not one workflow method and one update method for the same workflow
     *     id; UNKNOWN_WORKFLOW_TYPE or UNKNOWN_UPDATE if the type or update is not known; otherwise as
     *     {@link #updateWithStart(Runnable, Supplier)}
     */
    <T extends @Nullable Object> T updateWithStart(
            String updateId, Duration atMost, Runnable startCall, Supplier<T> updateCall);

    /**
     * Sends an update by name under an id, and returns its result, which may be null. Waits for at most {@code atMost}. If the
     * workflow id has no open run, starts the workflow by the name of its type. See
     * {@link #updateWithStart(String, Duration, Runnable, Supplier)}.
     *
     * @throws UpdateFailedException UPDATE_REJECTED if the validator refuses it; UPDATE_FAILED if the handler throws
     * @throws WorkflowIdTakenException if the id has a run that was not started by this call, and the options say
     *     {@link IdReuse#REJECT}
     * @throws dev.dormouse.error.DormouseException as {@link #updateWithStart(String, Duration, Runnable, Supplier)};
     *     PAYLOAD_DOES_NOT_FIT if the input, the arguments or the result do not fit
     */
    default <T> @Nullable T updateWithStart(
            String type,
            String workflowId,
            StartOptions options,
            List<?> input,
            String updateId,
            Duration atMost,
            String update,
            Class<T> resultType,
            @Nullable Object... arguments) {
        return updateWithStart(
                type, workflowId, options, input, updateId, atMost, update, TypeRef.of(resultType), arguments);
    }

    /**
     * Sends an update by name under an id, and returns its result, which has type parameters and may be null. Waits for at
     * most {@code atMost}. If the workflow id has no open run, starts the workflow by the name of its type. See
     * {@link #updateWithStart(String, Duration, Runnable, Supplier)}.
     *
     * @throws UpdateFailedException UPDATE_REJECTED if the validator refuses it; UPDATE_FAILED if the handler throws
     * @throws WorkflowIdTakenException if the id has a run that was not started by this call, and the options say
     *     {@link IdReuse#REJECT}
     * @throws dev.dormouse.error.DormouseException as {@link #updateWithStart(String, Duration, Runnable, Supplier)};
     *     PAYLOAD_DOES_NOT_FIT if the input, the arguments or the result do not fit
     */
    <T> @Nullable T updateWithStart(
            String type,
            String workflowId,
            StartOptions options,
            List<?> input,
            String updateId,
            Duration atMost,
            String update,
            TypeRef<T> resultType,
            @Nullable Object... arguments);

    /**
     * Returns a handle to the latest run of a workflow id, for callers that do not read the result. Does not access the
     * store; see {@link #handle(String, Class)}.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code workflowId} is invalid
     */
    default WorkflowHandle<Object> handle(String workflowId) {
        return handle(workflowId, Object.class);
    }

    /**
     * Returns a handle to the latest run of a workflow id. Does not access the store, so it costs nothing, and it
     * does not check that the id has a run.
     *
     * <p>Each call of the handle that needs a run refers to the run that is the latest one at that time, and throws
     * RUN_NOT_FOUND if the id has none. So does {@link WorkflowHandle#runId}, which reads the store. Signals and updates
     * are sent without a look-up; they are not checked against the registered interface, because the handle does not
     * know the type.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code workflowId} is invalid, or
     *     {@code resultType} is null or has type parameters
     */
    default <R> WorkflowHandle<R> handle(String workflowId, Class<R> resultType) {
        return handle(workflowId, TypeRef.of(resultType));
    }

    /**
     * Returns a handle to the latest run of a workflow id, with a result that has type parameters. Does not access the
     * store; see {@link #handle(String, Class)}.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code workflowId} is invalid, or
     *     {@code resultType} is null
     */
    <R> WorkflowHandle<R> handle(String workflowId, TypeRef<R> resultType);

    /**
     * Finds the latest run of a workflow id.
     *
     * @return empty if the id has no run
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code workflowId} is invalid, or
     *     {@code resultType} is null or has type parameters
     */
    default <R> Optional<WorkflowHandle<R>> find(String workflowId, Class<R> resultType) {
        return find(workflowId, TypeRef.of(resultType));
    }

    /**
     * Finds the latest run of a workflow id, with a result that has type parameters.
     *
     * @return empty if the id has no run
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code workflowId} is invalid, or
     *     {@code resultType} is null
     */
    <R> Optional<WorkflowHandle<R>> find(String workflowId, TypeRef<R> resultType);

    /**
     * Finds a run of a workflow id by its run id. It may be an earlier run of that id.
     *
     * @return empty if there is no such run
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code workflowId} is invalid, {@code runId} is
     *     null, or {@code resultType} is null or has type parameters
     */
    default <R> Optional<WorkflowHandle<R>> find(String workflowId, UUID runId, Class<R> resultType) {
        return find(workflowId, runId, TypeRef.of(resultType));
    }

    /**
     * Finds a run of a workflow id by its run id, with a result that has type parameters. It may be an earlier run of
     * that id.
     *
     * @return empty if there is no such run
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code workflowId} is invalid, or another
     *     argument is null
     */
    <R> Optional<WorkflowHandle<R>> find(String workflowId, UUID runId, TypeRef<R> resultType);

    /**
     * Publishes an event. Every run that waits for it receives it, see {@link WorkflowContext#waitForEvent}. So do runs
     * that begin to wait within the event window, by default one minute ({@link DormouseBuilder#eventWindow}). Returns
     * when the store has accepted the event; from then on, it is delivered even if nodes crash.
     *
     * @param event the name of the event
     * @param payload the content of the event, may be null; waiting runs can match single values in it, of which
     *     there may be up to 1,000
     * @return the event's id
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if the name is invalid, or the payload has more
     *     than 1,000 different values; PAYLOAD_NOT_SERIALIZABLE or PAYLOAD_TOO_LARGE if the payload cannot be stored
     */
    String publish(String event, @Nullable Object payload);

    /**
     * Publishes an event under a key. Publishing again under the same key has no effect, as long as closed runs are
     * kept ({@link DormouseBuilder#retention}).
     *
     * @param payload the content of the event, may be null
     * @return the event's id, which is the key
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if the name or the key is invalid, or the payload
     *     has more than 1,000 different values; PAYLOAD_NOT_SERIALIZABLE or PAYLOAD_TOO_LARGE if the payload cannot be
     *     stored
     */
    String publishOnce(String key, String event, @Nullable Object payload);

    /** Returns the timers that do not belong to a workflow. */
    Timers timers();

    /** Returns the timers that were scheduled in SQL. */
    SqlTimers sqlTimers();

    /** Returns the schedules, which start workflows or call timer handlers repeatedly. */
    Schedules schedules();

    /** Returns cluster-wide statistics, as shown on the dashboard. */
    Statistics statistics();

    /**
     * Returns the current outages of the store, as seen by this node; empty if there are none. Does not access the
     * store, so it returns at once, even during an outage. For health checks.
     */
    List<StoreOutage> outages();

    /**
     * Returns an API whose changes are part of your own transaction; see {@link Within}.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code connection} is null
     */
    Within within(Connection connection);

    /**
     * Lists runs, newest first, or by workflow id if the options have a prefix. Never counts or scans a whole table.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code options} is null, or its page is invalid
     */
    RunList list(ListOptions options);

    /** Returns the store and the registered types of this node. */
    NodeProfile profile();

    /** Returns the current time of the store's clock, as known to this node. Does not access the store. */
    Instant now();

    /**
     * Writes a consistent copy of the store to a new file while the store is in use. SQLite only.
     *
     * @throws dev.dormouse.error.DormouseException NOT_SUPPORTED_BY_STORE on other stores; BAD_ARGUMENT if
     *     {@code target} is null
     */
    void backup(Path target);

    /**
     * Closes this node and its store. Running code gets {@link DormouseBuilder#closeGrace}, by default 10 s, to finish;
     * then other nodes continue its runs. A second call has no effect.
     *
     * @throws dev.dormouse.error.DormouseException NOT_ALLOWED_HERE in workflow code, in a transaction step, or in an
     *     activity, step or timer handler that this node executes
     */
    @Override
    void close();

    /**
     * Starts runs and changes timers in the transaction of a connection to the same database. They take effect when the
     * transaction commits, and never existed if it rolls back. Not thread-safe: use it only on the thread that uses the
     * connection.
     */
    interface Within {

        /**
         * Starts a workflow by the name of its type in the transaction. Returns its handle, which can be used after the commit.
         *
         * @throws dev.dormouse.error.DormouseException STORE_UNAVAILABLE if another transaction holds a lock that
         *     is in the way, then roll back and repeat the transaction; otherwise as
         *     {@link Dormouse#start(String, String, Class, Object...)}
         */
        default <R> WorkflowHandle<R> start(
                String type, String workflowId, Class<R> resultType, @Nullable Object... input) {
            return start(type, workflowId, StartOptions.DEFAULT, TypeRef.of(resultType), input);
        }

        /**
         * Starts a workflow by the name of its type in the transaction, with a result that has type parameters.
         * Returns its handle, which can be used after the commit.
         *
         * @throws dev.dormouse.error.DormouseException STORE_UNAVAILABLE if another transaction holds a lock that
         *     is in the way, then roll back and repeat the transaction; otherwise as
         *     {@link Dormouse#start(String, String, Class, Object...)}
         */
        default <R> WorkflowHandle<R> start(
                String type, String workflowId, TypeRef<R> resultType, @Nullable Object... input) {
            return start(type, workflowId, StartOptions.DEFAULT, resultType, input);
        }

        /**
         * Starts a workflow by the name of its type in the transaction, with the given options. Returns its handle, which
         * can be used after the commit. A closed run is never replaced here: {@link IdReuse} only decides if that run is
         * returned or rejected.
         *
         * @throws WorkflowIdTakenException if the id has a run, and the options say {@link IdReuse#REJECT}
         * @throws dev.dormouse.error.DormouseException STORE_UNAVAILABLE if another transaction holds a lock that
         *     is in the way, then roll back and repeat the transaction; otherwise as
         *     {@link Dormouse#start(String, String, Class, Object...)}
         */
        default <R> WorkflowHandle<R> start(
                String type, String workflowId, StartOptions options, Class<R> resultType, @Nullable Object... input) {
            return start(type, workflowId, options, TypeRef.of(resultType), input);
        }

        /**
         * Starts a workflow by the name of its type in the transaction, with the given options and a result that has
         * type parameters. Returns its handle, which can be used after the commit. A closed run is never replaced here:
         * {@link IdReuse} only decides if that run is returned or rejected.
         *
         * @throws WorkflowIdTakenException if the id has a run, and the options say {@link IdReuse#REJECT}
         * @throws dev.dormouse.error.DormouseException STORE_UNAVAILABLE if another transaction holds a lock that
         *     is in the way, then roll back and repeat the transaction; otherwise as
         *     {@link Dormouse#start(String, String, Class, Object...)}
         */
        <R> WorkflowHandle<R> start(
                String type, String workflowId, StartOptions options, TypeRef<R> resultType, @Nullable Object... input);

        /**
         * Starts the workflow that {@code stubCall} calls on a stub, in the transaction. Returns its handle, which can be
         * used after the commit.
         *
         * @param stubCall makes exactly one call of a workflow method on a stub
         * @throws dev.dormouse.error.DormouseException STORE_UNAVAILABLE if another transaction holds a lock that
         *     is in the way, then roll back and repeat the transaction; otherwise as {@link Dormouse#start(Supplier)}
         */
        <R extends @Nullable Object> WorkflowHandle<R> start(Supplier<R> stubCall);

        /**
         * Starts the workflow without a result that {@code stubCall} calls on a stub, in the transaction. Returns its
         * handle, which can be used after the commit.
         *
         * @param stubCall makes exactly one call of a workflow method on a stub
         * @param none always empty: with it, a Kotlin lambda {@code start { … }} returns its result
         * @throws dev.dormouse.error.DormouseException STORE_UNAVAILABLE if another transaction holds a lock that
         *     is in the way, then roll back and repeat the transaction; otherwise as {@link Dormouse#start(Supplier)}
         */
        WorkflowHandle<Void> start(Runnable stubCall, Void... none);

        /**
         * Publishes an event when the transaction commits. Returns its id. See {@link Dormouse#publish}.
         *
         * @param payload the content of the event, may be null
         * @throws dev.dormouse.error.DormouseException STORE_UNAVAILABLE if another transaction holds a lock that
         *     is in the way, then roll back and repeat the transaction; otherwise as {@link Dormouse#publish}
         */
        String publish(String event, @Nullable Object payload);

        /**
         * Returns an API for timers that are scheduled, cancelled and rescheduled when the transaction commits. A timer
         * that is changed here is locked until then: keep the transaction short.
         */
        TimerScheduler timers();
    }
}
