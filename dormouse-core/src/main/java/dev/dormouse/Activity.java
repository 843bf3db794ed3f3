package dev.dormouse;

import static dev.dormouse.Arguments.required;

import dev.dormouse.codec.Payload;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the code of an activity or step can do, on its own thread. Elsewhere every method fails with OUTSIDE_ACTIVITY.
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

    /** The attempt that this thread executes. */
    public static ActivityInfo info() {
        return ActivityRun.current("info").info();
    }

    /**
     * A text that is the same for all attempts of this step, on whichever node, and different for every other step: for
     * others who must do a thing once however often they are asked. Made of the run, the step's name, and its ordinal
     * within that name.
     */
    public static String idempotencyKey() {
        return ActivityRun.current("idempotencyKey").key();
    }

    /**
     * Says that the attempt lives; with {@link ActivityOptions#heartbeatTimeout} it must do so now and then. Cheap: call
     * it as often as you like.
     *
     * @throws dev.dormouse.error.CanceledFailure when the workflow was cancelled or does not wait for this any more
     * @throws dev.dormouse.error.DormouseException ATTEMPT_OVER when the attempt's time was up or its node has lost it
     */
    public static void heartbeat() {
        ActivityRun.current("heartbeat").attempt().heartbeat(null);
    }

    /**
     * The same, and says how far it is. {@link WorkflowHandle#describe} shows that, and the next attempt gets it, also
     * after a crash: then it is what was said a second before at the latest.
     */
    public static void heartbeat(Object progress) {
        ActivityRun run = ActivityRun.current("heartbeat");
        run.attempt().heartbeat(run.payloads().encode(required(progress, "how far the activity is")));
    }

    /** What was last said by {@link #heartbeat(Object)}, in this attempt or one before. */
    public static <T> Optional<T> lastHeartbeat(Class<T> type) {
        return lastHeartbeat(TypeRef.of(type));
    }

    /** Returns what was last said by {@link #heartbeat(Object)}, as a type that has type parameters. */
    public static <T> Optional<T> lastHeartbeat(TypeRef<T> type) {
        ActivityRun run = ActivityRun.current("lastHeartbeat");
        return decoded(run, run.attempt().details(), type);
    }

    /**
     * Keeps data for the attempts to come, after a pause or a failure. Nothing else writes to it: neither heartbeats nor
     * pauses change it. What was kept in an attempt that died with its node is lost with it; a heartbeat is not.
     */
    public static void checkpoint(Object value) {
        ActivityRun run = ActivityRun.current("checkpoint");
        run.attempt().keep(run.payloads().encode(required(value, "a checkpoint")));
    }

    /** What was last kept by {@link #checkpoint}, in this attempt or one before. */
    public static <T> Optional<T> lastCheckpoint(Class<T> type) {
        return lastCheckpoint(TypeRef.of(type));
    }

    /** Returns what was last kept by {@link #checkpoint}, as a type that has type parameters. */
    public static <T> Optional<T> lastCheckpoint(TypeRef<T> type) {
        ActivityRun run = ActivityRun.current("lastCheckpoint");
        return decoded(run, run.attempt().checkpoint(), type);
    }

    /**
     * Ends this attempt without failing, and runs the activity again from its beginning after the delay, with its
     * checkpoint. The step stays open meanwhile, and holds no thread. Each pause is an event of the run's history, so
     * pause for minutes rather than for seconds. Never returns:
     * {@code return Activity.pause("not ready", Duration.ofMinutes(5));}
     *
     * @param name what it waits for; {@link WorkflowHandle#describe} shows it
     */
    @SuppressWarnings("TypeParameterUnusedInFormals") // so that it can be returned, whatever the activity returns
    public static <T extends @Nullable Object> T pause(String name, Duration delay) {
        Ids.checkName(name);
        ActivityRun.current("pause").pause(name, required(delay, "a delay"));
        throw new ActivityPaused();
    }

    /**
     * Hands out a token: when the activity's method has returned, its result does not count; the step waits, without a
     * thread, for {@link Dormouse#completeActivity} or {@link Dormouse#failActivity} with the token, by any program that
     * uses the same store. Timeouts of the attempt and of all attempts still hold; heartbeats are not needed any more.
     */
    public static String completeLater() {
        return ActivityRun.current("completeLater").token();
    }

    @SuppressWarnings("unchecked") // the codec returns what it was asked for, or fails
    private static <T> Optional<T> decoded(ActivityRun run, @Nullable Payload payload, TypeRef<T> token) {
        Type type = required(token, "a type").type();
        return payload == null
                ? Optional.empty()
                : Optional.ofNullable((T) run.payloads().decode(payload, type));
    }
}
