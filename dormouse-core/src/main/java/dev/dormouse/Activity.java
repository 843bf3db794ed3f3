package dev.dormouse;

import static dev.dormouse.internal.value.Arguments.required;

import dev.dormouse.codec.Payload;
import dev.dormouse.internal.value.Ids;
import dev.dormouse.internal.workflow.ActivityPaused;
import dev.dormouse.internal.workflow.ActivityRun;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Functions for the code of an activity or step, on the thread that executes it. On any other thread every method
 * throws DormouseException with OUTSIDE_ACTIVITY.
 *
 * <pre>{@code
 * public void copy(List<String> files) {
 *   int done = Activity.lastHeartbeat(Integer.class).orElse(0);
 *   for (; done < files.size(); done++) {
 *     copy(files.get(done));
 *     Activity.heartbeat(done + 1);
 *   }
 * }
 * }</pre>
 */
public final class Activity {
    private Activity() {}

    /**
     * Returns the attempt that the calling thread executes.
     *
     * @throws dev.dormouse.error.DormouseException OUTSIDE_ACTIVITY if the calling thread does not execute an
     *     activity or step
     */
    public static ActivityInfo info() {
        return ActivityRun.current("info").info();
    }

    /**
     * Returns the Dormouse of the node that executes this attempt, so that an activity, step or timer handler can start
     * workflows, send signals, and so on. It does not need to be passed to the activity before. Such calls are not part
     * of the step: if the attempt fails or its node dies, a later attempt repeats them. Use the same workflow id in every
     * attempt, such as one made from {@link #idempotencyKey}, so that a repeated start finds the first one. {@link
     * Dormouse#close} is refused.
     *
     * @throws dev.dormouse.error.DormouseException OUTSIDE_ACTIVITY if the calling thread does not execute an
     *     activity or step
     */
    public static Dormouse dormouse() {
        return ActivityRun.current("dormouse").node().get();
    }

    /**
     * Returns the idempotency key of this step. The key is the same for all attempts of the step, on any node, and
     * different for every other step. Pass it to external systems that must execute a request only once. It consists of
     * the run, the step's name, and the step's ordinal within that name.
     *
     * @throws dev.dormouse.error.DormouseException OUTSIDE_ACTIVITY if the calling thread does not execute an
     *     activity or step
     */
    public static String idempotencyKey() {
        return ActivityRun.current("idempotencyKey").key();
    }

    /**
     * Reports that the attempt is alive. With {@link ActivityOptions#heartbeatTimeout}, an attempt must call this
     * periodically. The call is cheap: it does not access the store.
     *
     * @throws dev.dormouse.error.CancelledException if the workflow was cancelled or does not wait for this step any
     *     more
     * @throws dev.dormouse.error.DormouseException ATTEMPT_OVER if the attempt has timed out, or if its run has
     *     left this node; OUTSIDE_ACTIVITY if the calling thread does not execute an activity or step
     */
    public static void heartbeat() {
        ActivityRun.current("heartbeat").attempt().heartbeat(null);
    }

    /**
     * Reports that the attempt is alive, and its progress. {@link WorkflowHandle#describe} shows the progress, and the
     * next attempt can read it with {@link #lastHeartbeat}. After a crash, the progress that the next attempt reads may
     * be up to a second old.
     *
     * @throws dev.dormouse.error.CancelledException if the workflow was cancelled or does not wait for this step any
     *     more
     * @throws dev.dormouse.error.DormouseException ATTEMPT_OVER if the attempt has timed out, or if its run has
     *     left this node; BAD_ARGUMENT if {@code progress} is null; OUTSIDE_ACTIVITY if the calling thread does not
     *     execute an activity or step
     */
    public static void heartbeat(Object progress) {
        ActivityRun run = ActivityRun.current("heartbeat");
        run.attempt().heartbeat(run.payloads().encode(required(progress, "the progress of the activity")));
    }

    /**
     * Returns the last progress that this attempt or an earlier one reported with {@link #heartbeat(Object)}.
     *
     * @return empty if no attempt has reported progress
     * @throws dev.dormouse.error.DormouseException PAYLOAD_DOES_NOT_FIT if it cannot be read as {@code type};
     *     BAD_ARGUMENT if {@code type} is null or has type parameters; OUTSIDE_ACTIVITY if the calling thread does not
     *     execute an activity or step
     */
    public static <T> Optional<T> lastHeartbeat(Class<T> type) {
        return lastHeartbeat(TypeRef.of(type));
    }

    /**
     * Returns the last progress that this attempt or an earlier one reported with {@link #heartbeat(Object)}, as a type
     * that has type parameters.
     *
     * @return empty if no attempt has reported progress
     * @throws dev.dormouse.error.DormouseException PAYLOAD_DOES_NOT_FIT if it cannot be read as {@code type};
     *     BAD_ARGUMENT if {@code type} is null; OUTSIDE_ACTIVITY if the calling thread does not execute
     *     an activity or step
     */
    public static <T> Optional<T> lastHeartbeat(TypeRef<T> type) {
        ActivityRun run = ActivityRun.current("lastHeartbeat");
        return decoded(run, run.attempt().details(), type);
    }

    /**
     * Saves a value for later attempts, after a pause or a failure. Heartbeats and pauses do not change the checkpoint.
     * A checkpoint of an attempt whose node dies is lost; a heartbeat is not.
     *
     * @throws dev.dormouse.error.CancelledException if the workflow was cancelled or does not wait for this step any
     *     more
     * @throws dev.dormouse.error.DormouseException ATTEMPT_OVER if the attempt has timed out, or if its run has
     *     left this node; BAD_ARGUMENT if {@code value} is null; OUTSIDE_ACTIVITY if the calling thread does not
     *     execute an activity or step
     */
    public static void checkpoint(Object value) {
        ActivityRun run = ActivityRun.current("checkpoint");
        run.attempt().keep(run.payloads().encode(required(value, "a checkpoint")));
    }

    /**
     * Returns the last value that this attempt or an earlier one saved with {@link #checkpoint}.
     *
     * @return empty if there is no checkpoint
     * @throws dev.dormouse.error.DormouseException PAYLOAD_DOES_NOT_FIT if it cannot be read as {@code type};
     *     BAD_ARGUMENT if {@code type} is null or has type parameters; OUTSIDE_ACTIVITY if the calling thread does not
     *     execute an activity or step
     */
    public static <T> Optional<T> lastCheckpoint(Class<T> type) {
        return lastCheckpoint(TypeRef.of(type));
    }

    /**
     * Returns the last value that this attempt or an earlier one saved with {@link #checkpoint}, as a type that has
     * type parameters.
     *
     * @return empty if there is no checkpoint
     * @throws dev.dormouse.error.DormouseException PAYLOAD_DOES_NOT_FIT if it cannot be read as {@code type};
     *     BAD_ARGUMENT if {@code type} is null; OUTSIDE_ACTIVITY if the calling thread does not execute
     *     an activity or step
     */
    public static <T> Optional<T> lastCheckpoint(TypeRef<T> type) {
        ActivityRun run = ActivityRun.current("lastCheckpoint");
        return decoded(run, run.attempt().checkpoint(), type);
    }

    /**
     * Ends this attempt without a failure, and executes the activity again from its beginning after {@code delay}, with
     * its checkpoint. The step stays open during the delay, and holds no thread. Each pause is an event in the run's
     * history, so pause for minutes rather than for seconds. Never returns:
     * {@code return Activity.pause("not ready", Duration.ofMinutes(5));}
     *
     * @param name the reason of the pause, such as the thing that the activity waits for;
     *     {@link WorkflowHandle#describe} shows it
     * @throws dev.dormouse.error.CancelledException if the workflow was cancelled or does not wait for this step any more
     * @throws dev.dormouse.error.DormouseException NOT_ALLOWED_HERE in a transaction step; ATTEMPT_OVER if the
     *     attempt has timed out, or if its run has left this node; BAD_ARGUMENT if {@code name} is empty, too long or
     *     null, or {@code delay} is null; OUTSIDE_ACTIVITY if the calling thread does not execute an activity or step
     */
    @SuppressWarnings("TypeParameterUnusedInFormals") // so that an activity of any result type can return it
    public static <T extends @Nullable Object> T pause(String name, Duration delay) {
        Ids.checkName(name);
        ActivityRun.current("pause").pause(name, required(delay, "a delay"));
        throw new ActivityPaused();
    }

    /**
     * Returns a token for asynchronous completion. After this call, the return value of the activity's method is
     * ignored. The step waits, without a thread, until any program that uses the same store calls
     * {@link Dormouse#completeActivity} or {@link Dormouse#failActivity} with the token. The attempt timeout and the
     * total timeout still apply; heartbeats are not needed any more.
     *
     * @throws dev.dormouse.error.CancelledException if the workflow was cancelled or does not wait for this step any
     *     more
     * @throws dev.dormouse.error.DormouseException NOT_ALLOWED_HERE in a transaction step; ATTEMPT_OVER if the
     *     attempt has timed out, or if its run has left this node; OUTSIDE_ACTIVITY if the calling thread does not
     *     execute an activity or step
     */
    public static String completeLater() {
        return ActivityRun.current("completeLater").token();
    }

    @SuppressWarnings("unchecked") // the codec returns the requested type, or throws
    private static <T> Optional<T> decoded(ActivityRun run, @Nullable Payload payload, TypeRef<T> token) {
        Type type = required(token, "a type").type();
        return payload == null
                ? Optional.empty()
                : Optional.ofNullable((T) run.payloads().decode(payload, type));
    }
}
