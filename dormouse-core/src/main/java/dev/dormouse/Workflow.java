package dev.dormouse;

import dev.dormouse.internal.workflow.RunContext;
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
 * Static methods for workflow code. They are the methods of {@link WorkflowContext}, for the run whose code calls them.
 * Outside of workflow code, and inside of steps, every method throws DormouseException with OUTSIDE_WORKFLOW.
 */
public final class Workflow {
    private Workflow() {}

    /** Executes a step and returns its result. See {@link WorkflowContext#step(String, Class, StepFunction)}. */
    public static <T extends @Nullable Object> T step(String name, Class<T> type, StepFunction<T> body) {
        return context("step").step(name, type, body);
    }

    /**
     * Executes a step whose result has type parameters. See
     * {@link WorkflowContext#step(String, TypeRef, StepFunction)}.
     */
    public static <T extends @Nullable Object> T step(String name, TypeRef<T> type, StepFunction<T> body) {
        return context("step").step(name, type, body);
    }

    /** Executes a step without a result. See {@link WorkflowContext#step(String, StepAction)}. */
    public static void step(String name, StepAction body) {
        context("step").step(name, body);
    }

    /**
     * Executes a step with the given options. See
     * {@link WorkflowContext#step(String, ActivityOptions, Class, StepFunction)}.
     */
    public static <T extends @Nullable Object> T step(
            String name, ActivityOptions options, Class<T> type, StepFunction<T> body) {
        return context("step").step(name, options, type, body);
    }

    /**
     * Executes a step with the given options, whose result has type parameters. See
     * {@link WorkflowContext#step(String, ActivityOptions, TypeRef, StepFunction)}.
     */
    public static <T extends @Nullable Object> T step(
            String name, ActivityOptions options, TypeRef<T> type, StepFunction<T> body) {
        return context("step").step(name, options, type, body);
    }

    /**
     * Executes a step without a result, with the given options. See
     * {@link WorkflowContext#step(String, ActivityOptions, StepAction)}.
     */
    public static void step(String name, ActivityOptions options, StepAction body) {
        context("step").step(name, options, body);
    }

    /**
     * Executes a transaction step and returns its result. See
     * {@link WorkflowContext#transaction(String, Class, TransactionFunction)}.
     */
    public static <T extends @Nullable Object> T transaction(String name, Class<T> type, TransactionFunction<T> body) {
        return context("transaction").transaction(name, type, body);
    }

    /**
     * Executes a transaction step with the given options. See
     * {@link WorkflowContext#transaction(String, ActivityOptions, Class, TransactionFunction)}.
     */
    public static <T extends @Nullable Object> T transaction(
            String name, ActivityOptions options, Class<T> type, TransactionFunction<T> body) {
        return context("transaction").transaction(name, options, type, body);
    }

    /**
     * Executes a transaction step whose result has type parameters. See
     * {@link WorkflowContext#transaction(String, TypeRef, TransactionFunction)}.
     */
    public static <T extends @Nullable Object> T transaction(
            String name, TypeRef<T> type, TransactionFunction<T> body) {
        return context("transaction").transaction(name, type, body);
    }

    /**
     * Executes a transaction step with the given options, whose result has type parameters. See
     * {@link WorkflowContext#transaction(String, ActivityOptions, TypeRef, TransactionFunction)}.
     */
    public static <T extends @Nullable Object> T transaction(
            String name, ActivityOptions options, TypeRef<T> type, TransactionFunction<T> body) {
        return context("transaction").transaction(name, options, type, body);
    }

    /**
     * Executes a transaction step without a result. See {@link WorkflowContext#transaction(String, TransactionAction)}.
     */
    public static void transaction(String name, TransactionAction body) {
        context("transaction").transaction(name, body);
    }

    /**
     * Executes a transaction step without a result, with the given options. See
     * {@link WorkflowContext#transaction(String, ActivityOptions, TransactionAction)}.
     */
    public static void transaction(String name, ActivityOptions options, TransactionAction body) {
        context("transaction").transaction(name, options, body);
    }

    /** Creates a stub whose calls are steps. See {@link WorkflowContext#activities(Class)}. */
    public static <A> A activities(Class<A> type) {
        return context("activities").activities(type);
    }

    /**
     * Creates a stub whose calls are steps with the given options. See
     * {@link WorkflowContext#activities(Class, ActivityOptions)}.
     */
    public static <A> A activities(Class<A> type, ActivityOptions options) {
        return context("activities").activities(type, options);
    }

    /**
     * Creates a stub whose calls are steps with the given options, with options of their own for some activities. See
     * {@link WorkflowContext#activities(Class, ActivityOptions, Map)}.
     */
    public static <A> A activities(Class<A> type, ActivityOptions options, Map<String, ActivityOptions> byActivity) {
        return context("activities").activities(type, options, byActivity);
    }

    /**
     * Executes an activity by its name, with a result that has type parameters. See
     * {@link WorkflowContext#activity(String, String, ActivityOptions, TypeRef, Object)}.
     */
    public static <T extends @Nullable Object> T activity(
            String name, String activity, ActivityOptions options, TypeRef<T> type, @Nullable Object input) {
        return context("activity").activity(name, activity, options, type, input);
    }

    /**
     * Executes an activity by its name. See
     * {@link WorkflowContext#activity(String, String, ActivityOptions, Class, Object)}.
     */
    public static <T extends @Nullable Object> T activity(
            String name, String activity, ActivityOptions options, Class<T> type, @Nullable Object input) {
        return context("activity").activity(name, activity, options, type, input);
    }

    /** Sleeps durably for {@code duration}. See {@link WorkflowContext#sleep}. */
    public static void sleep(Duration duration) {
        context("sleep").sleep(duration);
    }

    /** Sleeps durably until {@code instant}. See {@link WorkflowContext#sleepUntil}. */
    public static void sleepUntil(Instant instant) {
        context("sleepUntil").sleepUntil(instant);
    }

    /** Waits until a condition holds. See {@link WorkflowContext#await(Supplier)}. */
    public static void await(Supplier<Boolean> condition) {
        context("await").await(condition);
    }

    /**
     * Waits until a condition holds, for at most {@code atMost}. Returns false after that time. See
     * {@link WorkflowContext#await(Duration, Supplier)}.
     */
    public static boolean await(Duration atMost, Supplier<Boolean> condition) {
        return context("await").await(atMost, condition);
    }

    /**
     * Waits until a condition holds, at the latest until {@code deadline}. Returns false after that. See
     * {@link WorkflowContext#await(Instant, Supplier)}.
     */
    public static boolean await(Instant deadline, Supplier<Boolean> condition) {
        return context("await").await(deadline, condition);
    }

    /**
     * Waits until every signal and update handler that has begun has returned. See
     * {@link WorkflowContext#awaitHandlers}.
     */
    public static void awaitHandlers() {
        context("awaitHandlers").awaitHandlers();
    }

    /**
     * Returns true if every signal and update handler that has begun has returned. See
     * {@link WorkflowContext#isEveryHandlerFinished}.
     */
    public static boolean isEveryHandlerFinished() {
        return context("isEveryHandlerFinished").isEveryHandlerFinished();
    }

    /**
     * Waits for the next signal that no {@link SignalMethod} handles. See
     * {@link WorkflowContext#waitForSignal(Duration)}.
     */
    public static Optional<Signal> waitForSignal(Duration atMost) {
        return context("waitForSignal").waitForSignal(atMost);
    }

    /**
     * Waits for the next signal of this name that no {@link SignalMethod} handles. See
     * {@link WorkflowContext#waitForSignal(String, Duration)}.
     */
    public static Optional<Signal> waitForSignal(String name, Duration atMost) {
        return context("waitForSignal").waitForSignal(name, atMost);
    }

    /**
     * Waits for a published event, for at most {@code atMost}. See
     * {@link WorkflowContext#waitForEvent(String, Map, Duration)}.
     */
    public static Optional<PublishedEvent> waitForEvent(String event, Map<String, ?> match, Duration atMost) {
        return context("waitForEvent").waitForEvent(event, match, atMost);
    }

    /** Waits for a published event, without a time limit. See {@link WorkflowContext#waitForEvent(String, Map)}. */
    public static PublishedEvent waitForEvent(String event, Map<String, ?> match) {
        return context("waitForEvent").waitForEvent(event, match);
    }

    /** Sets a timer without waiting for it. See {@link WorkflowContext#newTimer}. */
    public static Promise<@Nullable Void> newTimer(Duration duration) {
        return context("newTimer").newTimer(duration);
    }

    /** Creates a wait whose end can be moved while it lasts. See {@link WorkflowContext#newUpdatableTimer()}. */
    public static UpdatableTimer newUpdatableTimer() {
        return context("newUpdatableTimer").newUpdatableTimer();
    }

    /**
     * Creates a named wait whose end can be moved while it lasts, by handlers and by {@link WorkflowHandle#timer},
     * without restrictions. See {@link WorkflowContext#newUpdatableTimer(String, TimerPolicy)}.
     */
    public static UpdatableTimer newUpdatableTimer(String name) {
        return newUpdatableTimer(name, TimerPolicy.ANY);
    }

    /**
     * Creates a named wait whose end can be moved while it lasts, within a policy. See
     * {@link WorkflowContext#newUpdatableTimer(String, TimerPolicy)}.
     */
    public static UpdatableTimer newUpdatableTimer(String name, TimerPolicy policy) {
        return context("newUpdatableTimer").newUpdatableTimer(name, policy);
    }

    /**
     * Creates a wait that ends when nothing has touched it for a quiet period. See
     * {@link WorkflowContext#newDebouncedTimer}.
     */
    public static <T extends @Nullable Object> DebouncedTimer<T> newDebouncedTimer(Duration quiet, Duration limit) {
        return context("newDebouncedTimer").newDebouncedTimer(quiet, limit);
    }

    /**
     * Runs code without a result as a coroutine beside the caller. See {@link WorkflowContext#async(Runnable, Void...)}.
     *
     * @param none always empty: with it, a Kotlin lambda {@code async { … }} returns its result
     */
    public static Promise<@Nullable Void> async(Runnable body, Void... none) {
        return context("async").async(body);
    }

    /**
     * Calls {@code body} for each item, at most {@code limit} at the same time, and returns the results in the order of
     * the items. See {@link WorkflowContext#parallel}.
     */
    public static <I extends @Nullable Object, T extends @Nullable Object> List<T> parallel(
            Collection<? extends I> items, int limit, Function<? super I, ? extends T> body) {
        return context("parallel").parallel(items, limit, body);
    }

    /** Creates a lock between the coroutines and handlers of this run. See {@link WorkflowLock}. */
    public static WorkflowLock newLock() {
        return context("newLock").newLock();
    }

    /** Runs code as a coroutine beside the caller. See {@link WorkflowContext#async(Callable)}. */
    public static <T extends @Nullable Object> Promise<T> async(Callable<T> body) {
        return context("async").async(body);
    }

    /** Creates a scope for code that can be cancelled as a whole. See {@link WorkflowContext#newCancellationScope}. */
    public static CancellationScope newCancellationScope(Runnable body) {
        return context("newCancellationScope").newCancellationScope(body);
    }

    /**
     * Creates a scope for code that is not cancelled with the run. See
     * {@link WorkflowContext#newDetachedCancellationScope}.
     */
    public static CancellationScope newDetachedCancellationScope(Runnable body) {
        return context("newDetachedCancellationScope").newDetachedCancellationScope(body);
    }

    /**
     * Creates a stub for a child workflow with a generated workflow id and {@link ChildOptions#DEFAULT}. See
     * {@link WorkflowContext#child(Class, ChildOptions)}.
     */
    public static <W> W child(Class<W> type) {
        return child(type, ChildOptions.DEFAULT);
    }

    /**
     * Creates a stub for a child workflow with a generated workflow id and the given options. See
     * {@link WorkflowContext#child(Class, ChildOptions)}.
     */
    public static <W> W child(Class<W> type, ChildOptions options) {
        return context("child").child(type, options);
    }

    /**
     * Creates a stub that sends signals to another workflow. See {@link WorkflowContext#externalWorkflow}.
     */
    public static <W> W externalWorkflow(Class<W> type, String workflowId) {
        return context("externalWorkflow").externalWorkflow(type, workflowId);
    }

    /**
     * Creates a stub for a child workflow with {@link ChildOptions#DEFAULT}. See
     * {@link WorkflowContext#child(Class, String, ChildOptions)}.
     */
    public static <W> W child(Class<W> type, String workflowId) {
        return child(type, workflowId, ChildOptions.DEFAULT);
    }

    /**
     * Creates a stub for a child workflow with the given options. See
     * {@link WorkflowContext#child(Class, String, ChildOptions)}.
     */
    public static <W> W child(Class<W> type, String workflowId, ChildOptions options) {
        return context("child").child(type, workflowId, options);
    }

    /**
     * Starts a child workflow by the name of its type, with {@link ChildOptions#DEFAULT}. See
     * {@link WorkflowContext#child(String, String, ChildOptions, Class, Object...)}.
     */
    public static <R> Promise<@Nullable R> child(
            String type, String workflowId, Class<R> resultType, @Nullable Object... input) {
        return context("child").child(type, workflowId, ChildOptions.DEFAULT, resultType, input);
    }

    /**
     * Starts a child workflow by the name of its type, with {@link ChildOptions#DEFAULT} and a result that has type
     * parameters. See {@link WorkflowContext#child(String, String, ChildOptions, TypeRef, Object...)}.
     */
    public static <R> Promise<@Nullable R> child(
            String type, String workflowId, TypeRef<R> resultType, @Nullable Object... input) {
        return context("child").child(type, workflowId, ChildOptions.DEFAULT, resultType, input);
    }

    /**
     * Starts a child workflow by the name of its type, with the given options and a result that has type parameters.
     * See {@link WorkflowContext#child(String, String, ChildOptions, TypeRef, Object...)}.
     */
    public static <R> Promise<@Nullable R> child(
            String type, String workflowId, ChildOptions options, TypeRef<R> resultType, @Nullable Object... input) {
        return context("child").child(type, workflowId, options, resultType, input);
    }

    /**
     * Starts a child workflow by the name of its type, with the given options. See
     * {@link WorkflowContext#child(String, String, ChildOptions, Class, Object...)}.
     */
    public static <R> Promise<@Nullable R> child(
            String type, String workflowId, ChildOptions options, Class<R> resultType, @Nullable Object... input) {
        return context("child").child(type, workflowId, options, resultType, input);
    }

    /** Sends a signal to another workflow id. See {@link WorkflowContext#signal}. */
    public static void signal(String workflowId, String name, @Nullable Object... arguments) {
        context("signal").signal(workflowId, name, arguments);
    }

    /**
     * Ends this run and continues as a new run of the same workflow id and type. Never returns. See
     * {@link WorkflowContext#continueAsNew(Object...)}.
     */
    public static <R extends @Nullable Object> R continueAsNew(@Nullable Object... input) {
        return context("continueAsNew").continueAsNew(input);
    }

    /**
     * Creates a stub whose workflow method ends this run and continues as a new run of {@code type}. See
     * {@link WorkflowContext#continueAsNew(Class)}.
     */
    public static <W> W continueAsNew(Class<W> type) {
        return context("continueAsNew").continueAsNew(type);
    }

    /**
     * Ends this run and continues as a new run of another workflow type, by its name. Never returns. See
     * {@link WorkflowContext#continueAsNewType}.
     */
    public static <R extends @Nullable Object> R continueAsNewType(String type, @Nullable Object... input) {
        return context("continueAsNewType").continueAsNewType(type, input);
    }

    /** Returns the time of the last event of this run. See {@link WorkflowContext#now}. */
    public static Instant now() {
        return context("now").now();
    }

    /** Returns a random UUID that is the same in every replay. See {@link WorkflowContext#randomUuid}. */
    public static UUID randomUuid() {
        return context("randomUuid").randomUuid();
    }

    /** Returns the version of a change that this run uses. See {@link WorkflowContext#version}. */
    public static int version(String change, int min, int max) {
        return context("version").version(change, min, max);
    }

    /** Writes a note into the run's history. See {@link WorkflowContext#addNote}. */
    public static void addNote(String kind, String text) {
        context("addNote").addNote(kind, text);
    }

    /** Returns information about this run. See {@link WorkflowContext#info}. */
    public static WorkflowInfo info() {
        return context("info").info();
    }

    /** Returns a logger that discards everything during replay. See {@link WorkflowContext#logger}. */
    public static Logger logger() {
        return context("logger").logger();
    }

    private static WorkflowContext context(String method) {
        return RunContext.current("Workflow." + method);
    }
}
