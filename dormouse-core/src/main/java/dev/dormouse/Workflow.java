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
 * What workflow code can do; the same as {@link WorkflowContext}, for the run whose code calls it. Outside of workflow
 * code, and inside of steps, every method fails with OUTSIDE_WORKFLOW.
 */
public final class Workflow {
    private Workflow() {}

    /** See {@link WorkflowContext#step(String, Class, StepFunction)}. */
    public static <T extends @Nullable Object> T step(String name, Class<T> type, StepFunction<T> body) {
        return context("step").step(name, type, body);
    }

    /** See {@link WorkflowContext#step(String, TypeRef, StepFunction)}. */
    public static <T extends @Nullable Object> T step(String name, TypeRef<T> type, StepFunction<T> body) {
        return context("step").step(name, type, body);
    }

    /** See {@link WorkflowContext#step(String, StepAction)}. */
    public static void step(String name, StepAction body) {
        context("step").step(name, body);
    }

    /** See {@link WorkflowContext#step(String, Class, ActivityOptions, StepFunction)}. */
    public static <T extends @Nullable Object> T step(
            String name, Class<T> type, ActivityOptions options, StepFunction<T> body) {
        return context("step").step(name, type, options, body);
    }

    /** See {@link WorkflowContext#step(String, TypeRef, ActivityOptions, StepFunction)}. */
    public static <T extends @Nullable Object> T step(
            String name, TypeRef<T> type, ActivityOptions options, StepFunction<T> body) {
        return context("step").step(name, type, options, body);
    }

    /** See {@link WorkflowContext#step(String, ActivityOptions, StepAction)}. */
    public static void step(String name, ActivityOptions options, StepAction body) {
        context("step").step(name, options, body);
    }

    /** See {@link WorkflowContext#transaction(String, Class, TransactionFunction)}. */
    public static <T extends @Nullable Object> T transaction(String name, Class<T> type, TransactionFunction<T> body) {
        return context("transaction").transaction(name, type, body);
    }

    /** See {@link WorkflowContext#transaction(String, Class, ActivityOptions, TransactionFunction)}. */
    public static <T extends @Nullable Object> T transaction(
            String name, Class<T> type, ActivityOptions options, TransactionFunction<T> body) {
        return context("transaction").transaction(name, type, options, body);
    }

    /** See {@link WorkflowContext#transaction(String, TypeRef, TransactionFunction)}. */
    public static <T extends @Nullable Object> T transaction(
            String name, TypeRef<T> type, TransactionFunction<T> body) {
        return context("transaction").transaction(name, type, body);
    }

    /** See {@link WorkflowContext#transaction(String, TypeRef, ActivityOptions, TransactionFunction)}. */
    public static <T extends @Nullable Object> T transaction(
            String name, TypeRef<T> type, ActivityOptions options, TransactionFunction<T> body) {
        return context("transaction").transaction(name, type, options, body);
    }

    /** See {@link WorkflowContext#transaction(String, TransactionAction)}. */
    public static void transaction(String name, TransactionAction body) {
        context("transaction").transaction(name, body);
    }

    /** See {@link WorkflowContext#transaction(String, ActivityOptions, TransactionAction)}. */
    public static void transaction(String name, ActivityOptions options, TransactionAction body) {
        context("transaction").transaction(name, options, body);
    }

    /** See {@link WorkflowContext#activities(Class)}. */
    public static <A> A activities(Class<A> type) {
        return context("activities").activities(type);
    }

    /** See {@link WorkflowContext#activities(Class, ActivityOptions)}. */
    public static <A> A activities(Class<A> type, ActivityOptions options) {
        return context("activities").activities(type, options);
    }

    /** See {@link WorkflowContext#activity(String, String, TypeRef, ActivityOptions, Object)}. */
    public static <T extends @Nullable Object> T activity(
            String name, String activity, TypeRef<T> type, ActivityOptions options, @Nullable Object input) {
        return context("activity").activity(name, activity, type, options, input);
    }

    /** See {@link WorkflowContext#activity(String, String, Class, ActivityOptions, Object)}. */
    public static <T extends @Nullable Object> T activity(
            String name, String activity, Class<T> type, ActivityOptions options, @Nullable Object input) {
        return context("activity").activity(name, activity, type, options, input);
    }

    /** See {@link WorkflowContext#sleep}. */
    public static void sleep(Duration duration) {
        context("sleep").sleep(duration);
    }

    /** See {@link WorkflowContext#sleepUntil}. */
    public static void sleepUntil(Instant instant) {
        context("sleepUntil").sleepUntil(instant);
    }

    /** See {@link WorkflowContext#await(Supplier)}. */
    public static void await(Supplier<Boolean> condition) {
        context("await").await(condition);
    }

    /** See {@link WorkflowContext#await(Duration, Supplier)}. */
    public static boolean await(Duration atMost, Supplier<Boolean> condition) {
        return context("await").await(atMost, condition);
    }

    /** See {@link WorkflowContext#await(Instant, Supplier)}. */
    public static boolean await(Instant deadline, Supplier<Boolean> condition) {
        return context("await").await(deadline, condition);
    }

    /** See {@link WorkflowContext#isEveryHandlerFinished}. */
    public static boolean isEveryHandlerFinished() {
        return context("isEveryHandlerFinished").isEveryHandlerFinished();
    }

    /** See {@link WorkflowContext#waitForSignal(Duration)}. */
    public static Optional<Signal> waitForSignal(Duration atMost) {
        return context("waitForSignal").waitForSignal(atMost);
    }

    /** See {@link WorkflowContext#waitForSignal(String, Duration)}. */
    public static Optional<Signal> waitForSignal(String name, Duration atMost) {
        return context("waitForSignal").waitForSignal(name, atMost);
    }

    /** See {@link WorkflowContext#waitForEvent(String, Map, Duration)}. */
    public static Optional<PublishedEvent> waitForEvent(String event, Map<String, ?> match, Duration atMost) {
        return context("waitForEvent").waitForEvent(event, match, atMost);
    }

    /** See {@link WorkflowContext#waitForEvent(String, Map)}. */
    public static PublishedEvent waitForEvent(String event, Map<String, ?> match) {
        return context("waitForEvent").waitForEvent(event, match);
    }

    /** See {@link WorkflowContext#newTimer}. */
    public static Promise<@Nullable Void> newTimer(Duration duration) {
        return context("newTimer").newTimer(duration);
    }

    /** See {@link WorkflowContext#newUpdatableTimer()}. */
    public static UpdatableTimer newUpdatableTimer() {
        return context("newUpdatableTimer").newUpdatableTimer();
    }

    /** With a name, under which {@link WorkflowHandle#timer} finds it; it may be moved as one likes. */
    public static UpdatableTimer newUpdatableTimer(String name) {
        return newUpdatableTimer(name, TimerPolicy.ANY);
    }

    /** See {@link WorkflowContext#newUpdatableTimer(String, TimerPolicy)}. */
    public static UpdatableTimer newUpdatableTimer(String name, TimerPolicy policy) {
        return context("newUpdatableTimer").newUpdatableTimer(name, policy);
    }

    /** See {@link WorkflowContext#newDebouncedTimer}. */
    public static <T extends @Nullable Object> DebouncedTimer<T> newDebouncedTimer(Duration quiet, Duration limit) {
        return context("newDebouncedTimer").newDebouncedTimer(quiet, limit);
    }

    /** See {@link WorkflowContext#async}. */
    public static <T extends @Nullable Object> Promise<T> async(Callable<T> body) {
        return context("async").async(body);
    }

    /** See {@link WorkflowContext#newCancellationScope}. */
    public static CancellationScope newCancellationScope(Runnable body) {
        return context("newCancellationScope").newCancellationScope(body);
    }

    /** See {@link WorkflowContext#newDetachedCancellationScope}. */
    public static CancellationScope newDetachedCancellationScope(Runnable body) {
        return context("newDetachedCancellationScope").newDetachedCancellationScope(body);
    }

    /** A child under {@link ChildOptions#DEFAULT}; see {@link WorkflowContext#child(Class, String, ChildOptions)}. */
    public static <W> W child(Class<W> type, String workflowId) {
        return child(type, workflowId, ChildOptions.DEFAULT);
    }

    /** See {@link WorkflowContext#child(Class, String, ChildOptions)}. */
    public static <W> W child(Class<W> type, String workflowId, ChildOptions options) {
        return context("child").child(type, workflowId, options);
    }

    /** A child by the name of its type, under {@link ChildOptions#DEFAULT}. */
    public static <R> Promise<@Nullable R> child(
            String type, String workflowId, Class<R> resultType, @Nullable Object... input) {
        return context("child").child(ChildOptions.DEFAULT, type, workflowId, resultType, input);
    }

    /** A child by the name of its type, with a result that has type parameters, under {@link ChildOptions#DEFAULT}. */
    public static <R> Promise<@Nullable R> child(
            String type, String workflowId, TypeRef<R> resultType, @Nullable Object... input) {
        return context("child").child(ChildOptions.DEFAULT, type, workflowId, resultType, input);
    }

    /** See {@link WorkflowContext#child(ChildOptions, String, String, TypeRef, Object...)}. */
    public static <R> Promise<@Nullable R> child(
            ChildOptions options, String type, String workflowId, TypeRef<R> resultType, @Nullable Object... input) {
        return context("child").child(options, type, workflowId, resultType, input);
    }

    /** See {@link WorkflowContext#child(ChildOptions, String, String, Class, Object...)}. */
    public static <R> Promise<@Nullable R> child(
            ChildOptions options, String type, String workflowId, Class<R> resultType, @Nullable Object... input) {
        return context("child").child(options, type, workflowId, resultType, input);
    }

    /** See {@link WorkflowContext#signal}. */
    public static void signal(String workflowId, String name, @Nullable Object... arguments) {
        context("signal").signal(workflowId, name, arguments);
    }

    /** See {@link WorkflowContext#continueAsNew}. */
    public static void continueAsNew(@Nullable Object... input) {
        context("continueAsNew").continueAsNew(input);
    }

    /** See {@link WorkflowContext#now}. */
    public static Instant now() {
        return context("now").now();
    }

    /** See {@link WorkflowContext#randomUuid}. */
    public static UUID randomUuid() {
        return context("randomUuid").randomUuid();
    }

    /** See {@link WorkflowContext#version}. */
    public static int version(String change, int min, int max) {
        return context("version").version(change, min, max);
    }

    /** See {@link WorkflowContext#mark}. */
    public static void mark(String kind, String text) {
        context("mark").mark(kind, text);
    }

    /** See {@link WorkflowContext#info}. */
    public static WorkflowInfo info() {
        return context("info").info();
    }

    /** See {@link WorkflowContext#logger}. */
    public static Logger logger() {
        return context("logger").logger();
    }

    private static WorkflowContext context(String method) {
        return RunContext.current("Workflow." + method);
    }
}
