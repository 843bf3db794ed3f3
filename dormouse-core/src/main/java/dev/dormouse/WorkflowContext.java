package dev.dormouse;

import dev.dormouse.error.ActivityFailedException;
import dev.dormouse.error.ChildFailedException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The operations of workflow code; {@link Workflow} offers the same as static methods. Not thread-safe: only the run's
 * own coroutines may use it.
 *
 * <p>Apart from these methods, the code must depend only on its input and on the values that these methods return: it
 * is executed again from the beginning after every longer wait and every crash.
 *
 * <p>In addition to the codes that a method names, all methods throw {@link dev.dormouse.error.DormouseException} with
 * OUTSIDE_WORKFLOW on a thread that does not execute the run's code, and with BAD_ARGUMENT for null or an invalid name.
 * Methods that act or wait throw NOT_ALLOWED_HERE in conditions, queries and validators. Methods that wait throw
 * {@link dev.dormouse.error.CancelledException} if the run or the calling scope is cancelled.
 */
public interface WorkflowContext {

    /**
     * Executes a step and returns its result, which is committed and never computed again. A step that was in flight
     * during a crash is executed again.
     *
     * @param type the type as which the result is read back after a crash; use a {@link TypeRef} for a type with
     *     type parameters
     * @throws ActivityFailedException if the step has failed and its retry policy allows no further attempt
     * @throws dev.dormouse.error.CancelledException if the run or the calling scope is cancelled
     */
    default <T extends @Nullable Object> T step(String name, Class<T> type, StepFunction<T> body) {
        return step(name, TypeRef.of(type), body);
    }

    /**
     * Executes a step whose result has type parameters, such as {@code new TypeRef<List<Order>>() {}}, and returns the
     * result. The result is committed and never computed again.
     *
     * @throws ActivityFailedException if the step has failed and its retry policy allows no further attempt
     * @throws dev.dormouse.error.CancelledException if the run or the calling scope is cancelled
     */
    <T extends @Nullable Object> T step(String name, TypeRef<T> type, StepFunction<T> body);

    /**
     * Executes a step with the given options, instead of the {@link DormouseBuilder#activityOptions default} ones, and
     * returns its result. The result is committed and never computed again.
     *
     * @throws ActivityFailedException if the step has failed and its retry policy allows no further attempt
     * @throws dev.dormouse.error.CancelledException if the run or the calling scope is cancelled
     */
    default <T extends @Nullable Object> T step(
            String name, ActivityOptions options, Class<T> type, StepFunction<T> body) {
        return step(name, options, TypeRef.of(type), body);
    }

    /**
     * Executes a step with the given options, whose result has type parameters, and returns the result. The result is
     * committed and never computed again.
     *
     * @throws ActivityFailedException if the step has failed and its retry policy allows no further attempt
     * @throws dev.dormouse.error.CancelledException if the run or the calling scope is cancelled
     */
    <T extends @Nullable Object> T step(String name, ActivityOptions options, TypeRef<T> type, StepFunction<T> body);

    /**
     * Executes a step without a result. Once its completion is committed, it is never executed again.
     *
     * @throws ActivityFailedException if the step has failed and its retry policy allows no further attempt
     * @throws dev.dormouse.error.CancelledException if the run or the calling scope is cancelled
     */
    void step(String name, StepAction body);

    /**
     * Executes a step without a result, with the given options. Once its completion is committed, it is never executed
     * again.
     *
     * @throws ActivityFailedException if the step has failed and its retry policy allows no further attempt
     * @throws dev.dormouse.error.CancelledException if the run or the calling scope is cancelled
     */
    void step(String name, ActivityOptions options, StepAction body);

    /**
     * Executes a step in a transaction of the store's own database, and returns its result. The rows that it writes
     * through the connection and the completion of the step are committed together, exactly once. If it throws, the
     * transaction is rolled back, and the step is retried like any other.
     *
     * <p>The connection is for this transaction only: committing it, rolling it back (except to a savepoint) and
     * closing it are refused. During the transaction the run does nothing else, and on SQLite no other connection can
     * write: keep it short. Of Dormouse, only reads and {@link Dormouse#within} are allowed in it.
     *
     * @param type the type as which the result is read back after a crash; use a {@link TypeRef} for a type with
     *     type parameters
     * @throws ActivityFailedException if the step has failed and its retry policy allows no further attempt
     * @throws dev.dormouse.error.CancelledException if the run or the calling scope is cancelled
     */
    default <T extends @Nullable Object> T transaction(String name, Class<T> type, TransactionFunction<T> body) {
        return transaction(name, TypeRef.of(type), body);
    }

    /**
     * Executes a step in a transaction of the store's own database, and returns its result, which has type
     * parameters. See {@link #transaction(String, Class, TransactionFunction)}.
     *
     * @throws ActivityFailedException if the step has failed and its retry policy allows no further attempt
     * @throws dev.dormouse.error.CancelledException if the run or the calling scope is cancelled
     */
    <T extends @Nullable Object> T transaction(String name, TypeRef<T> type, TransactionFunction<T> body);

    /**
     * Executes a step in a transaction of the store's own database, with the given options, and returns its result. See
     * {@link #transaction(String, Class, TransactionFunction)}.
     *
     * @throws ActivityFailedException if the step has failed and its retry policy allows no further attempt
     * @throws dev.dormouse.error.CancelledException if the run or the calling scope is cancelled
     */
    default <T extends @Nullable Object> T transaction(
            String name, ActivityOptions options, Class<T> type, TransactionFunction<T> body) {
        return transaction(name, options, TypeRef.of(type), body);
    }

    /**
     * Executes a step in a transaction of the store's own database, with the given options, and returns its
     * result, which has type parameters. See {@link #transaction(String, Class, TransactionFunction)}.
     *
     * @throws ActivityFailedException if the step has failed and its retry policy allows no further attempt
     * @throws dev.dormouse.error.CancelledException if the run or the calling scope is cancelled
     */
    <T extends @Nullable Object> T transaction(
            String name, ActivityOptions options, TypeRef<T> type, TransactionFunction<T> body);

    /**
     * Executes a step without a result in a transaction of the store's own database. See
     * {@link #transaction(String, Class, TransactionFunction)}.
     *
     * @throws ActivityFailedException if the step has failed and its retry policy allows no further attempt
     * @throws dev.dormouse.error.CancelledException if the run or the calling scope is cancelled
     */
    void transaction(String name, TransactionAction body);

    /**
     * Executes a step without a result in a transaction of the store's own database, with the given options. See
     * {@link #transaction(String, Class, TransactionFunction)}.
     *
     * @throws ActivityFailedException if the step has failed and its retry policy allows no further attempt
     * @throws dev.dormouse.error.CancelledException if the run or the calling scope is cancelled
     */
    void transaction(String name, ActivityOptions options, TransactionAction body);

    /**
     * Creates a stub whose calls are steps, executed by the implementation that was registered for the interface. A
     * call throws {@link ActivityFailedException} if the activity has failed and its retry policy allows no further attempt.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ACTIVITY_INTERFACE if {@code type} is not a valid activity
     *     interface
     */
    <A> A activities(Class<A> type);

    /**
     * Creates a stub whose calls are steps with the given options, instead of the
     * {@link DormouseBuilder#activityOptions default} ones. A call throws {@link ActivityFailedException} if the activity has
     * failed and its retry policy allows no further attempt.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ACTIVITY_INTERFACE if {@code type} is not a valid activity
     *     interface
     */
    <A> A activities(Class<A> type, ActivityOptions options);

    /**
     * Creates a stub whose calls are steps with the given options, with options of their own for some activities:
     *
     * <pre>{@code
     * Bank bank = ctx.activities(Bank.class, QUICK, Map.of("pay", CAREFUL, "refund", PATIENT));
     * }</pre>
     *
     * <p>The options of an activity replace {@code options} as a whole; the two are not combined. A {@link Compensate}
     * method is an activity too, so that compensations can have options of their own.
     *
     * @param byActivity options by the name of the activity within the interface: that of {@link ActivityMethod}, or
     *     else of the method. Overloaded methods without a declared name share one entry
     * @throws dev.dormouse.error.DormouseException BAD_ACTIVITY_INTERFACE if {@code type} is not a valid activity
     *     interface; BAD_ARGUMENT if {@code byActivity} has a name that no activity of the interface has, or if an
     *     argument is null
     */
    <A> A activities(Class<A> type, ActivityOptions options, Map<String, ActivityOptions> byActivity);

    /**
     * Executes an activity by its name: {@code Mail.welcome} for a method of an interface, or the name that was
     * registered with {@link DormouseBuilder#activity}. Returns its result, which is committed and never computed
     * again. For code that chooses the activity at run time.
     *
     * @param name the name of this step in the history
     * @param type the type as which the result is read; use a {@link TypeRef} for a type with type parameters
     * @param input the only argument, may be null; an activity without parameters does not receive it
     * @throws ActivityFailedException if the activity has failed and its retry policy allows no further attempt
     * @throws dev.dormouse.error.CancelledException if the run or the calling scope is cancelled
     */
    default <T extends @Nullable Object> T activity(
            String name, String activity, ActivityOptions options, Class<T> type, @Nullable Object input) {
        return activity(name, activity, options, TypeRef.of(type), input);
    }

    /**
     * Executes an activity by its name, and returns its result, which has type parameters. See
     * {@link #activity(String, String, ActivityOptions, Class, Object)}.
     *
     * @param input the only argument, may be null; an activity without parameters does not receive it
     * @throws ActivityFailedException if the activity has failed and its retry policy allows no further attempt
     * @throws dev.dormouse.error.CancelledException if the run or the calling scope is cancelled
     */
    <T extends @Nullable Object> T activity(
            String name, String activity, ActivityOptions options, TypeRef<T> type, @Nullable Object input);

    /**
     * Sleeps durably for {@code duration}. A long sleep holds no thread and no heap memory. Zero or less returns at
     * once.
     *
     * @throws dev.dormouse.error.CancelledException if the run or the calling scope is cancelled
     * @throws dev.dormouse.error.DormouseException INSTANT_OUT_OF_RANGE if no store can hold the end of the sleep
     */
    void sleep(Duration duration);

    /**
     * Sleeps durably until {@code instant}. A past instant returns at once.
     *
     * @throws dev.dormouse.error.CancelledException if the run or the calling scope is cancelled
     * @throws dev.dormouse.error.DormouseException INSTANT_OUT_OF_RANGE if no store can hold the instant
     */
    void sleepUntil(Instant instant);

    /**
     * Waits until a condition holds, without a time limit. A condition must only read the workflow's fields. It is
     * evaluated again whenever the run has received something: a signal, a result, a timer. The passing of time alone
     * does not trigger that.
     *
     * @throws dev.dormouse.error.CancelledException if the run or the calling scope is cancelled
     */
    void await(Supplier<Boolean> condition);

    /**
     * Waits until a condition holds, for at most {@code atMost}, counted from {@link #now}. A wait whose condition
     * holds in time writes nothing to the store.
     *
     * @return false if the time passed first
     * @throws dev.dormouse.error.CancelledException if the run or the calling scope is cancelled
     * @throws dev.dormouse.error.DormouseException INSTANT_OUT_OF_RANGE if no store can hold the deadline
     */
    boolean await(Duration atMost, Supplier<Boolean> condition);

    /**
     * Waits until a condition holds, at the latest until {@code deadline}. A past deadline returns at once.
     *
     * @return false if the deadline passed first
     * @throws dev.dormouse.error.CancelledException if the run or the calling scope is cancelled
     * @throws dev.dormouse.error.DormouseException INSTANT_OUT_OF_RANGE if no store can hold the deadline
     */
    boolean await(Instant deadline, Supplier<Boolean> condition);

    /**
     * Waits until every signal and update handler that has begun has returned. A run that ends earlier leaves them
     * unfinished: their updates are refused with RUN_CLOSED, and a warning is logged. So end a workflow whose handlers
     * wait for something, such as a step, with this call. Call it from the workflow method: a handler that calls it
     * waits for itself.
     *
     * @throws dev.dormouse.error.CancelledException if the run or the calling scope is cancelled
     */
    void awaitHandlers();

    /**
     * Returns true if every signal and update handler that has begun has returned. Use it as a condition of
     * {@link #await(Duration, Supplier)} to wait for handlers with a deadline; without one, use {@link #awaitHandlers}.
     */
    boolean isEveryHandlerFinished();

    /**
     * Waits for the next signal that no {@link SignalMethod} handles, for at most {@code atMost}. Signals that were
     * received earlier are kept and returned in order.
     *
     * @return empty if the time passed first
     * @throws dev.dormouse.error.CancelledException if the run or the calling scope is cancelled
     * @throws dev.dormouse.error.DormouseException INSTANT_OUT_OF_RANGE if no store can hold the deadline
     */
    Optional<Signal> waitForSignal(Duration atMost);

    /**
     * Waits for the next signal of this name that no {@link SignalMethod} handles, for at most {@code atMost}. Signals
     * with other names are kept.
     *
     * @return empty if the time passed first
     * @throws dev.dormouse.error.CancelledException if the run or the calling scope is cancelled
     * @throws dev.dormouse.error.DormouseException INSTANT_OUT_OF_RANGE if no store can hold the deadline
     */
    Optional<Signal> waitForSignal(String name, Duration atMost);

    /**
     * Waits for an event that is published with {@link Dormouse#publish}, for at most {@code atMost}. An event that was
     * published shortly before also counts, if this run has not received it: by default within the last minute, see
     * {@link DormouseBuilder#eventWindow}.
     *
     * @param match the values that the event must have: by path, such as {@code order.id}, a text, a number, a
     *     boolean or null. An empty map matches every event of this name
     * @return empty if the time passed first
     * @throws dev.dormouse.error.CancelledException if the run or the calling scope is cancelled
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if a path or value in {@code match} is invalid;
     *     INSTANT_OUT_OF_RANGE if no store can hold the deadline
     */
    Optional<PublishedEvent> waitForEvent(String event, Map<String, ?> match, Duration atMost);

    /**
     * Waits for an event that is published with {@link Dormouse#publish}, without a time limit, and returns it.
     * See {@link #waitForEvent(String, Map, Duration)}.
     *
     * @throws dev.dormouse.error.CancelledException if the run or the calling scope is cancelled
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if a path or value in {@code match} is invalid
     */
    PublishedEvent waitForEvent(String event, Map<String, ?> match);

    /**
     * Sets a timer without waiting for it. Returns a promise that is done after {@code duration}; zero or less means at
     * once.
     *
     * @throws dev.dormouse.error.DormouseException INSTANT_OUT_OF_RANGE if no store can hold the end of the timer
     */
    Promise<@Nullable Void> newTimer(Duration duration);

    /** Creates a wait whose end can be moved while it lasts, without restrictions. */
    UpdatableTimer newUpdatableTimer();

    /**
     * Creates a named wait whose end can be moved while it lasts, within {@code policy}. {@link WorkflowHandle#timer}
     * finds it by its name.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if the run has a timer of this name
     */
    UpdatableTimer newUpdatableTimer(String name, TimerPolicy policy);

    /**
     * Creates a wait that ends when nothing has touched it for {@code quiet}, or at {@code limit} after the first
     * touch.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code quiet} is negative or longer than
     *     {@code limit}; INSTANT_OUT_OF_RANGE if {@code limit} is too long
     */
    <T extends @Nullable Object> DebouncedTimer<T> newDebouncedTimer(Duration quiet, Duration limit);

    /**
     * Runs code as a coroutine beside the caller, and returns a promise of its result. The code begins when the caller
     * waits. The promise fails with the exception that {@code body} throws.
     */
    <T extends @Nullable Object> Promise<T> async(Callable<T> body);

    /**
     * Runs code without a result as a coroutine beside the caller. It begins when the caller waits. The promise fails
     * with the exception that {@code body} throws.
     *
     * @param none always empty: with it, a Kotlin lambda {@code async { … }} returns its result
     */
    Promise<@Nullable Void> async(Runnable body, Void... none);

    /**
     * Calls {@code body} for each item, at most {@code limit} at the same time, and waits for all of them. Use it
     * instead of one {@link #async} per item: it needs {@code limit} coroutines for any number of items.
     *
     * <pre>{@code
     * List<Receipt> receipts = Workflow.parallel(orders, 20, order -> bank.charge(order));
     * }</pre>
     *
     * <p>If a call of {@code body} throws, no further item is begun, the others in work are cancelled, and the exception
     * is thrown when they have ended.
     *
     * @param items the items; not changed, and copied at once
     * @param limit the maximum number of items in work at the same time, at least 1
     * @return the results in the order of the items
     * @throws dev.dormouse.error.CancelledException if the run or the calling scope is cancelled
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code limit} is less than 1
     */
    <I extends @Nullable Object, T extends @Nullable Object> List<T> parallel(
            Collection<? extends I> items, int limit, Function<? super I, ? extends T> body);

    /** Creates a lock between the coroutines and handlers of this run. */
    WorkflowLock newLock();

    /** Creates a scope for code that can be cancelled as a whole; run it with {@link CancellationScope#run}. */
    CancellationScope newCancellationScope(Runnable body);

    /** Creates a scope for code that is not cancelled with the run: for clean-up. */
    CancellationScope newDetachedCancellationScope(Runnable body);

    /**
     * Creates a stub for a child workflow. A call of its workflow method starts the child and waits for its result. The
     * call throws {@link ChildFailedException} if the child ends without a result.
     *
     * @throws dev.dormouse.error.DormouseException BAD_WORKFLOW_INTERFACE if {@code type} is not a valid workflow
     *     interface
     */
    <W> W child(Class<W> type, String workflowId, ChildOptions options);

    /**
     * Creates a stub for a child workflow with a generated workflow id: a random UUID, which is the same in every
     * replay. Each stub starts one child. See {@link #child(Class, String, ChildOptions)}.
     *
     * @throws dev.dormouse.error.DormouseException BAD_WORKFLOW_INTERFACE if {@code type} is not a valid workflow
     *     interface
     */
    <W> W child(Class<W> type, ChildOptions options);

    /**
     * Creates a stub for another workflow, which this run has not started. A call of a signal method sends it that
     * signal, as {@link #signal} does. All other methods throw BAD_STUB_CALL.
     *
     * @throws dev.dormouse.error.DormouseException BAD_WORKFLOW_INTERFACE if {@code type} is not a valid workflow
     *     interface
     */
    <W> W externalWorkflow(Class<W> type, String workflowId);

    /**
     * Starts a child workflow by the name of its type, and returns a promise of its result. The promise fails with
     * {@link ChildFailedException} if the child ends without a result.
     */
    default <R> Promise<@Nullable R> child(
            String type, String workflowId, ChildOptions options, Class<R> resultType, @Nullable Object... input) {
        return child(type, workflowId, options, TypeRef.of(resultType), input);
    }

    /**
     * Starts a child workflow by the name of its type, and returns a promise of its result, which has type parameters.
     * The promise fails with {@link ChildFailedException} if the child ends without a result.
     */
    <R> Promise<@Nullable R> child(
            String type, String workflowId, ChildOptions options, TypeRef<R> resultType, @Nullable Object... input);

    /**
     * Starts the child workflow that {@code stubCall} calls on a stub of {@link #child(Class, String, ChildOptions)}, and
     * returns without waiting for its result. The handle also shows when the child exists:
     *
     * <pre>{@code
     * ChildHandle<String> parcel = Workflow.startChild(() -> shipping.ship(order));
     * parcel.started().get();
     * }</pre>
     *
     * <p>The report of its start costs one more message than {@link #child(String, String, ChildOptions, Class, Object...)}.
     *
     * @param stubCall makes exactly one call of a workflow method on the stub of a child
     * @throws dev.dormouse.error.DormouseException BAD_STUB_CALL if {@code stubCall} does not make exactly one such
     *     call; INSTANT_OUT_OF_RANGE if a delay or timeout is too long
     */
    <R extends @Nullable Object> ChildHandle<R> startChild(Supplier<R> stubCall);

    /**
     * Starts the child workflow without a result that {@code stubCall} calls on a stub, and returns without waiting for
     * its end. See {@link #startChild(Supplier)}.
     *
     * @param stubCall makes exactly one call of a workflow method on the stub of a child
     * @param none always empty: with it, a Kotlin lambda {@code startChild { … }} returns its result
     * @throws dev.dormouse.error.DormouseException as {@link #startChild(Supplier)}
     */
    ChildHandle<@Nullable Void> startChild(Runnable stubCall, Void... none);

    /**
     * Starts a child workflow by the name of its type, and returns without waiting for its result. The handle also shows
     * when the child exists. See {@link #startChild(Supplier)}.
     *
     * @throws dev.dormouse.error.DormouseException INSTANT_OUT_OF_RANGE if a delay or timeout is too long
     */
    default <R> ChildHandle<@Nullable R> startChild(
            String type, String workflowId, ChildOptions options, Class<R> resultType, @Nullable Object... input) {
        return startChild(type, workflowId, options, TypeRef.of(resultType), input);
    }

    /**
     * Starts a child workflow by the name of its type, with a result that has type parameters, and returns without
     * waiting for its result. The handle also shows when the child exists. See {@link #startChild(Supplier)}.
     *
     * @throws dev.dormouse.error.DormouseException INSTANT_OUT_OF_RANGE if a delay or timeout is too long
     */
    <R> ChildHandle<@Nullable R> startChild(
            String type, String workflowId, ChildOptions options, TypeRef<R> resultType, @Nullable Object... input);

    /**
     * Sends a signal to another workflow id, after the next commit. If that workflow does not exist or is closed, the
     * signal is dropped silently.
     */
    void signal(String workflowId, String name, @Nullable Object... arguments);

    /**
     * Ends this run and continues as a new run of the same workflow id and type, with a new history. Unread signals and
     * updates go to the new run; children that are still open follow their parent-close policy. Never returns. Only the
     * workflow method itself may call this. {@link #continueAsNew(Class)} checks the input at compile time.
     *
     * @param <R> the result of the workflow method, so that {@code return Workflow.continueAsNew(…);} compiles
     * @throws dev.dormouse.error.DormouseException NOT_ALLOWED_HERE in a handler or another coroutine;
     *     PAYLOAD_DOES_NOT_FIT if {@code input} does not fit the workflow method
     */
    <R extends @Nullable Object> R continueAsNew(@Nullable Object... input);

    /**
     * Creates a stub whose workflow method ends this run and continues as a new run of {@code type}, which may be
     * another type than that of this run. The call never returns:
     *
     * <pre>{@code
     * return Workflow.continueAsNew(Counter.class).count(total + 1);
     * }</pre>
     *
     * <p>See {@link #continueAsNew(Object...)}. Queries, signals and updates on the stub throw BAD_STUB_CALL.
     *
     * @throws dev.dormouse.error.DormouseException BAD_WORKFLOW_INTERFACE if {@code type} is not a valid workflow
     *     interface; from the call: NOT_ALLOWED_HERE in a handler or another coroutine, UNKNOWN_WORKFLOW_TYPE if no node
     *     can execute the type
     */
    <W> W continueAsNew(Class<W> type);

    /**
     * Ends this run and continues as a new run of another workflow type, by its name. Never returns. See
     * {@link #continueAsNew(Object...)}.
     *
     * @throws dev.dormouse.error.DormouseException NOT_ALLOWED_HERE in a handler or another coroutine;
     *     UNKNOWN_WORKFLOW_TYPE if no node can execute the type; BAD_ARGUMENT if {@code type} is not a valid name
     */
    <R extends @Nullable Object> R continueAsNewType(String type, @Nullable Object... input);

    /** Returns the time of the last event of this run, by the store's clock. It is the same in every replay. */
    Instant now();

    /** Returns a random UUID that is the same in every replay. */
    UUID randomUuid();

    /**
     * Returns the version of a change that this run uses. The first call for {@code change} decides it:
     *
     * <ul>
     *   <li>{@code max} if the run reaches this call for the first time. The version is recorded.
     *   <li>{@code min} if the run may have passed this line before the call existed: in the recorded events, or between the
     *       last recorded event and the next one, where it may execute a step or wait.
     * </ul>
     *
     * <p>So {@code min} is also the version of a run whose node died, or released the run, in the short moment between the
     * last recorded event and this call.
     */
    int version(String change, int min, int max);

    /**
     * Writes a note into the run's history, for people; {@link WorkflowHandle#history} shows it. It does not cost a
     * commit of its own. The run does not depend on it: adding, changing or removing notes is not a change of the
     * workflow's code.
     *
     * @param kind the kind of note, such as {@code order.checked}
     * @param text the text of the note
     */
    void addNote(String kind, String text);

    /** Returns information about this run, such as its ids, type, parent and memo. */
    WorkflowInfo info();

    /**
     * Returns the logger {@code dev.dormouse.workflow.TYPE} of this workflow type. It discards everything during
     * replay.
     */
    Logger logger();
}
