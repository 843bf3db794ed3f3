package dev.dormouse;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.replay.Replay;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
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

    /** See {@link WorkflowContext#step(String, StepAction)}. */
    public static void step(String name, StepAction body) {
        context("step").step(name, body);
    }

    /** See {@link WorkflowContext#activities}. */
    public static <A> A activities(Class<A> type) {
        return context("activities").activities(type);
    }

    /** See {@link WorkflowContext#sleep}. */
    public static void sleep(Duration duration) {
        context("sleep").sleep(duration);
    }

    /** See {@link WorkflowContext#sleepUntil}. */
    public static void sleepUntil(Instant instant) {
        context("sleepUntil").sleepUntil(instant);
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

    /** See {@link WorkflowContext#info}. */
    public static WorkflowInfo info() {
        return context("info").info();
    }

    /** See {@link WorkflowContext#logger}. */
    public static Logger logger() {
        return context("logger").logger();
    }

    private static WorkflowContext context(String method) {
        Replay run = Replay.current();
        if (run != null && run.attached() instanceof WorkflowContext context) {
            return context;
        }
        throw new DormouseException(
                ErrorCode.OUTSIDE_WORKFLOW,
                "Expected Workflow." + method + " to be called by workflow code, but thread '"
                        + Thread.currentThread().getName() + "' executes none. Steps and other threads cannot use it.");
    }
}
