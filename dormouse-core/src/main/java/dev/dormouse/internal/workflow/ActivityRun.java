package dev.dormouse.internal.workflow;

import dev.dormouse.Activity;
import dev.dormouse.ActivityInfo;
import dev.dormouse.Dormouse;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.run.StepAttempt;
import dev.dormouse.internal.value.Payloads;
import dev.dormouse.store.run.RunRow;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The attempt that the calling thread executes: the state behind the static methods of {@link Activity}.
 *
 * @param node returns the Dormouse of the node that executes the attempt
 */
public record ActivityRun(
        RunRow run,
        Caller caller,
        String name,
        String key,
        Payloads payloads,
        StepAttempt attempt,
        boolean inTransaction,
        Supplier<Dormouse> node) {
    private static final ThreadLocal<@Nullable ActivityRun> CURRENT = new ThreadLocal<>();

    /** The workflow that called the activity. */
    public record Caller(String workflowId, UUID runId, String type) {}

    public static ActivityRun current(String method) {
        ActivityRun current = CURRENT.get();
        if (current == null) {
            throw new DormouseException(
                    ErrorCode.OUTSIDE_ACTIVITY,
                    "Expected Activity." + method + " to be called by a step or an activity, but thread '"
                            + Thread.currentThread().getName() + "' executes none. Call it on the thread of the "
                            + "activity itself.");
        }
        return current;
    }

    /** Returns the name of the transaction step that the calling thread executes, or null. */
    public static @Nullable String transaction() {
        ActivityRun current = CURRENT.get();
        return current != null && current.inTransaction ? current.name : null;
    }

    /** Returns true if the calling thread executes a step of this run, or an activity that this run called. */
    public static boolean isPartOf(UUID runId) {
        ActivityRun current = CURRENT.get();
        return current != null && (current.run.runId().equals(runId) || current.caller.runId.equals(runId));
    }

    /** Returns the name of the step or activity that the calling thread executes for this node, or null. */
    @SuppressWarnings("ReferenceEquality") // the very node, not an equal one
    public static @Nullable String executedBy(Dormouse dormouse) {
        ActivityRun current = CURRENT.get();
        return current != null && current.node.get() == dormouse ? current.name : null;
    }

    @Nullable
    public Object call(RunSteps.Work body) throws Exception {
        ActivityRun outer = CURRENT.get();
        CURRENT.set(this);
        try {
            return body.run(attempt);
        } catch (Exception problem) {
            payloads.checkDetails(problem);
            throw problem;
        } finally {
            CURRENT.set(outer);
        }
    }

    public void pause(String pause, Duration delay) {
        checkNotInTransaction("pause");
        attempt.pause(pause, delay);
    }

    private void checkNotInTransaction(String method) {
        if (inTransaction) {
            throw new DormouseException(
                    ErrorCode.NOT_ALLOWED_HERE,
                    "Expected Activity." + method + " to be called outside of a transaction step, but step '" + name
                            + "' is a transaction. Call it in another step.");
        }
    }

    public ActivityInfo info() {
        return new ActivityInfo(
                caller.workflowId, caller.runId, caller.type, name, attempt.number(), attempt.startedAt());
    }

    /** Hands the attempt out, and returns the token that completes it. */
    public String token() {
        checkNotInTransaction("completeLater");
        return new ActivityToken(run.workflowId(), run.runId(), attempt.call(), attempt.handOut()).text();
    }
}
