package dev.dormouse;

import static dev.dormouse.Arguments.required;

import dev.dormouse.codec.Payload;
import dev.dormouse.engine.ActivityTypes;
import dev.dormouse.engine.RemoteStep;
import dev.dormouse.engine.StepAttempt;
import dev.dormouse.engine.StepCall;
import dev.dormouse.error.CanceledFailure;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.history.Event;
import dev.dormouse.history.Failure;
import dev.dormouse.history.ParentClose;
import dev.dormouse.replay.Names;
import dev.dormouse.replay.PendingCall;
import dev.dormouse.replay.Replay;
import dev.dormouse.replay.StepFailure;
import dev.dormouse.replay.StepResult;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The steps of a run, with values instead of payloads. Belongs to the run's coroutines. */
final class RunSteps {
    private final Replay run;
    private final Payloads payloads;
    private final ActivityOptions options;
    private final Map<String, Integer> ordinals = new HashMap<>();

    /** What a step does. */
    @FunctionalInterface
    interface Work {
        @Nullable
        Object run(StepAttempt attempt) throws Exception;
    }

    /** What a step has returned here, which is its result unless that came from elsewhere. */
    private record Live(Payload payload, @Nullable Object value) {}

    /** @param options for steps without options of their own */
    RunSteps(Replay run, Payloads payloads, ActivityOptions options) {
        this.run = run;
        this.payloads = payloads;
        this.options = options;
    }

    ActivityOptions options() {
        return options;
    }

    @Nullable
    Object step(String name, Type type, ActivityOptions how, Work body) {
        return execute(name, type, how, false, body);
    }

    @Nullable
    Object transaction(String name, Type type, ActivityOptions how, Work body) {
        return execute(name, type, how, true, body);
    }

    private ActivityRun.Caller caller() {
        return new ActivityRun.Caller(
                run.run().workflowId(), run.run().runId(), run.run().type());
    }

    /**
     * Whether an activity is executed as a run of its own: as is recorded, or else because it is in a queue or somebody
     * else has it. One that was in flight here, and about which nothing is recorded, stays here.
     */
    boolean isAway(String name, ActivityOptions how, boolean unknown, boolean elsewhere) {
        Boolean recorded = run.isNextCallAChild();
        if (recorded != null) {
            return recorded;
        }
        return how.queued().isPresent() || unknown && (elsewhere || run.isServed(ActivityTypes.of(name)));
    }

    DormouseException unknown(Class<?> type) {
        return run.refuse(
                ErrorCode.UNKNOWN_ACTIVITY,
                "Expected activities of " + type.getName()
                        + " to be registered, but they are not, and no node that has "
                        + "them is alive. Add .activities(" + type.getSimpleName()
                        + ".class, …) to Dormouse.builder(), or .activitiesElsewhere(" + type.getSimpleName()
                        + ".class) if other nodes execute them.");
    }

    DormouseException unknown(String activity) {
        return run.refuse(
                ErrorCode.UNKNOWN_ACTIVITY,
                "Expected an activity named '" + activity
                        + "' to be registered, but it is not, and no node that has it is alive. Add .activities(…) with "
                        + "an interface that has it, or .activity(\"" + activity
                        + "\", …), to Dormouse.builder(). Overloaded methods cannot be called by name.");
    }

    /**
     * Executes an activity as a run of its own, by whoever has it, and waits for its end.
     *
     * @param name what this run calls it
     * @param owner the full name of the interface that is meant; empty if only the activity's name is known
     */
    @Nullable
    Object away(String name, String activity, String owner, Type type, ActivityOptions how, List<Payload> arguments) {
        String key = key(name);
        RemoteStep call = new RemoteStep(
                key, run.run().workflowId(), run.run().runId(), run.run().type(), how.policy(), owner);
        List<Payload> input = new ArrayList<>(List.of(call.encode()));
        input.addAll(arguments);
        PendingCall child = run.child(
                key,
                ActivityTypes.of(activity),
                input,
                ParentClose.TERMINATE,
                how.queued().orElse(null));
        run.until(child::isOver);
        Event end = child.end();
        if (end instanceof Event.RunCompleted completed) {
            return read(name, completed.result(), type);
        } else if (end instanceof Event.RunFailed failed) {
            throw new ActivityFailure(name, payloads.open(failed.failure()), Math.max(1, failed.attempts()));
        } else if (end == null) {
            throw new CanceledFailure("its workflow does not wait for it any more");
        }
        throw new ActivityFailure(name, Failure.of(new ChildFailed(key, end)), 1);
    }

    /**
     * Live code receives the decoded bytes too, so that what works now also works after a crash: a result that cannot be
     * read back is a failure of the step. One that is recorded, or came from elsewhere, and cannot be read tells of
     * changed code.
     */
    @SuppressWarnings("ReferenceEquality") // the very payload that was encoded here
    private @Nullable Object execute(String name, Type type, ActivityOptions how, boolean inTransaction, Work body) {
        required(type, "the type of the result");
        required(how, "activity options");
        AtomicReference<@Nullable Live> live = new AtomicReference<>();
        String key = key(required(name, "the name of a step"));
        StepCall.Body encoded = attempt -> {
            Object value = new ActivityRun(run.run(), caller(), name, key, payloads, attempt, inTransaction).call(body);
            if (attempt.isHandedOut()) {
                return Payload.NOTHING;
            }
            Payload payload = type == void.class ? Payload.NOTHING : payloads.encode(value, type);
            live.set(new Live(payload, payloads.decode(payload, type)));
            return payload;
        };
        try {
            StepResult result = run.step(name, how.policy(), inTransaction, encoded);
            Live here = live.get();
            return here != null && here.payload == result.payload() ? here.value : read(name, result.payload(), type);
        } catch (StepFailure failed) {
            throw new ActivityFailure(name, payloads.open(failed.failure()), failed.attempts());
        }
    }

    /** The run, the name of the step, and its ordinal within that name: the same whenever and wherever it is tried. */
    private String key(String name) {
        run.checkMayAct("step '" + name + "'"); // a call that is refused has no ordinal
        Names.check("step", name);
        return run.started().identity(run.run().runId()) + "/" + name + "/" + ordinals.merge(name, 1, Integer::sum);
    }

    private @Nullable Object read(String name, Payload result, Type type) {
        return RecordedValues.read(payloads, "the recorded result of step '" + name + "'", result, type);
    }
}
