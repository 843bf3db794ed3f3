package dev.dormouse;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * What workflow code can do; {@link Workflow} offers the same as static methods. For the run's own coroutines only.
 *
 * <p>Whatever the code does otherwise must depend on nothing but its input and what these methods return: it is run
 * again from the beginning after every longer wait and every crash.
 */
public interface WorkflowContext {

    /**
     * Executes a step and returns its result, which is committed and never computed again. A step that was in flight in
     * a crash runs again.
     *
     * @param type what the result is read back as after a crash; a {@link TypeRef} for one with type parameters
     */
    default <T extends @Nullable Object> T step(String name, Class<T> type, StepFunction<T> body) {
        return step(name, TypeRef.of(type), body);
    }

    /** Executes a step whose result has type parameters, such as {@code new TypeRef<List<Order>>() {}}. */
    <T extends @Nullable Object> T step(String name, TypeRef<T> type, StepFunction<T> body);

    /** The same under options of its own, instead of the {@link DormouseBuilder#activityOptions default} ones. */
    default <T extends @Nullable Object> T step(
            String name, Class<T> type, ActivityOptions options, StepFunction<T> body) {
        return step(name, TypeRef.of(type), options, body);
    }

    /** Executes a step whose result has type parameters, under options of its own. */
    <T extends @Nullable Object> T step(String name, TypeRef<T> type, ActivityOptions options, StepFunction<T> body);

    /** Executes a step without a result. */
    void step(String name, StepAction body);

    /** Executes a step without a result, under options of its own. */
    void step(String name, ActivityOptions options, StepAction body);

    /**
     * Executes a step in a transaction of the store's own database: the rows that it writes through the connection and
     * the fact that it was done are committed together, exactly once. When it throws, nothing of it is left, and it is
     * tried again like any other step. The connection is for this transaction only: committing, rolling back (other than
     * to a savepoint) and closing it are refused. While it lasts the run does nothing else, and on SQLite nobody else
     * can write: keep it short. Of Dormouse, only reads and {@link Dormouse#within} are allowed in it.
     *
     * @param type what the result is read back as after a crash; a {@link TypeRef} for one with type parameters
     */
    default <T extends @Nullable Object> T transaction(String name, Class<T> type, TransactionFunction<T> body) {
        return transaction(name, TypeRef.of(type), body);
    }

    /** Executes a step in a transaction, with a result that has type parameters. */
    <T extends @Nullable Object> T transaction(String name, TypeRef<T> type, TransactionFunction<T> body);

    /** The same under options of its own. */
    default <T extends @Nullable Object> T transaction(
            String name, Class<T> type, ActivityOptions options, TransactionFunction<T> body) {
        return transaction(name, TypeRef.of(type), options, body);
    }

    /** Executes a step in a transaction, with a result that has type parameters, under options of its own. */
    <T extends @Nullable Object> T transaction(
            String name, TypeRef<T> type, ActivityOptions options, TransactionFunction<T> body);

    /** The same without a result. */
    void transaction(String name, TransactionAction body);

    /** The same without a result, under options of its own. */
    void transaction(String name, ActivityOptions options, TransactionAction body);

    /** A stub whose calls are steps, executed by what was registered for the interface. */
    <A> A activities(Class<A> type);

    /** The same under options of its own, instead of the {@link DormouseBuilder#activityOptions default} ones. */
    <A> A activities(Class<A> type, ActivityOptions options);

    /**
     * Executes an activity by its name: {@code Mail.welcome} for a method of an interface, or what it was registered by
     * with {@link DormouseBuilder#activity}. For those who do not know before which one that is.
     *
     * @param name what the history calls this step
     * @param type what the result is read as; a {@link TypeRef} for one with type parameters
     * @param input its one argument; an activity without parameters does not get it
     */
    default <T extends @Nullable Object> T activity(
            String name, String activity, Class<T> type, ActivityOptions options, @Nullable Object input) {
        return activity(name, activity, TypeRef.of(type), options, input);
    }

    /** Executes an activity by its name, with a result that has type parameters. */
    <T extends @Nullable Object> T activity(
            String name, String activity, TypeRef<T> type, ActivityOptions options, @Nullable Object input);

    /** Sleeps durably: no thread and no heap for a long one. Zero or less returns at once. */
    void sleep(Duration duration);

    /** Sleeps durably until an instant; one that has passed returns at once. */
    void sleepUntil(Instant instant);

    /**
     * Waits until a condition holds. A condition looks at the workflow's fields only; it is asked again whenever
     * something has happened to the run.
     */
    void await(Supplier<Boolean> condition);

    /**
     * The same for no longer than this, counted from {@link #now}. A wait whose condition holds in time writes nothing.
     *
     * @return false when the time was up first
     */
    boolean await(Duration atMost, Supplier<Boolean> condition);

    /** The same until an instant; one that has passed returns at once. */
    boolean await(Instant deadline, Supplier<Boolean> condition);

    /**
     * Returns true if every signal and update handler that has begun has returned. A run that ends earlier leaves them
     * unfinished: their updates are refused with RUN_CLOSED, and the log has a warning. So end a workflow whose handlers
     * wait for something, such as a step, with {@code Workflow.await(Workflow::isEveryHandlerFinished)}, with or without a
     * deadline. Call it from the workflow method: a handler that awaits it waits for itself.
     */
    boolean isEveryHandlerFinished();

    /**
     * Waits for the next signal that no {@link SignalMethod} handles. Those that came earlier were kept, in order.
     *
     * @return empty when the time was up first
     */
    Optional<Signal> waitForSignal(Duration atMost);

    /** The same for a signal of this name; others are kept. */
    Optional<Signal> waitForSignal(String name, Duration atMost);

    /**
     * Waits for an event that somebody tells with {@link Dormouse#publish}. One that came shortly before counts too, if
     * this run has not had it: by default within the last minute, see {@link DormouseBuilder#eventWindow}.
     *
     * @param match what the event must hold: by path, such as {@code order.id}, a text, a number, a boolean or null. An
     *     empty one is met by every event of this name
     * @return empty when the time was up first
     */
    Optional<PublishedEvent> waitForEvent(String event, Map<String, ?> match, Duration atMost);

    /** The same for as long as it takes. */
    PublishedEvent waitForEvent(String event, Map<String, ?> match);

    /** Sets a timer without waiting for it. */
    Promise<@Nullable Void> newTimer(Duration duration);

    /** A wait whose end can be moved while it lasts. */
    UpdatableTimer newUpdatableTimer();

    /** The same with a name, under which {@link WorkflowHandle#timer} finds it, and a policy. */
    UpdatableTimer newUpdatableTimer(String name, TimerPolicy policy);

    /** A wait that ends when nothing has touched it for a quiet period, or at a limit after the first touch. */
    <T extends @Nullable Object> DebouncedTimer<T> newDebouncedTimer(Duration quiet, Duration limit);

    /** Runs code as a coroutine beside the caller. It gets its first turn when the caller waits. */
    <T extends @Nullable Object> Promise<T> async(Callable<T> body);

    /** Code that can be cancelled as a whole; run it with {@link CancellationScope#run}. */
    CancellationScope newCancellationScope(Runnable body);

    /** Code that is not cancelled with the run: for clean-up. */
    CancellationScope newDetachedCancellationScope(Runnable body);

    /** A stub for a child workflow: calling its workflow method starts the child and waits for its result. */
    <W> W child(Class<W> type, String workflowId, ChildOptions options);

    /** Starts a child workflow by the name of its type. */
    default <R> Promise<@Nullable R> child(
            ChildOptions options, String type, String workflowId, Class<R> resultType, @Nullable Object... input) {
        return child(options, type, workflowId, TypeRef.of(resultType), input);
    }

    /** Starts a child workflow by the name of its type, with a result that has type parameters. */
    <R> Promise<@Nullable R> child(
            ChildOptions options, String type, String workflowId, TypeRef<R> resultType, @Nullable Object... input);

    /** Sends a signal to another workflow id, after the next commit; nobody is told if nothing takes it there. */
    void signal(String workflowId, String name, @Nullable Object... arguments);

    /**
     * Ends this run and goes on as a new one of the same workflow id and type, with a history of its own. Unread mail
     * goes to the new run; children that are still open follow their parent-close policy. Never returns; for the
     * workflow method itself only.
     */
    void continueAsNew(@Nullable Object... input);

    /** The time of the last event of this run, by the store's clock: the same in every replay. */
    Instant now();

    /** A random UUID that is the same in every replay. */
    UUID randomUuid();

    /**
     * Which version of a change this run goes by: {@code max} for runs that come here for the first time, {@code min}
     * for those that had passed this line before the change was made.
     */
    int version(String change, int min, int max);

    /**
     * Writes a line into the run's history, for whoever reads it; {@link WorkflowHandle#history} shows it. Costs no commit
     * of its own. Nothing depends on it: changing, adding or removing marks is no change of the workflow's code.
     *
     * @param kind what it tells of, such as {@code order.checked}
     */
    void mark(String kind, String text);

    WorkflowInfo info();

    /** A logger of this name that is silent in replay. */
    Logger logger();
}
