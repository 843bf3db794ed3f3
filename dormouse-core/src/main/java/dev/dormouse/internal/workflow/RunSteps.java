package dev.dormouse.internal.workflow;

import static dev.dormouse.internal.value.Arguments.required;

import dev.dormouse.ActivityOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.codec.Payload;
import dev.dormouse.error.ActivityFailedException;
import dev.dormouse.error.CancelledException;
import dev.dormouse.error.ChildFailedException;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.Failure;
import dev.dormouse.internal.history.ParentClose;
import dev.dormouse.internal.replay.PendingCall;
import dev.dormouse.internal.replay.RecordedNames;
import dev.dormouse.internal.replay.Replay;
import dev.dormouse.internal.replay.StepFailure;
import dev.dormouse.internal.replay.StepResult;
import dev.dormouse.internal.run.ActivityTypes;
import dev.dormouse.internal.run.RemoteStep;
import dev.dormouse.internal.run.StepAttempt;
import dev.dormouse.internal.run.StepCall;
import dev.dormouse.internal.value.EngineOptions;
import dev.dormouse.internal.value.Payloads;
import dev.dormouse.internal.value.RecordedValues;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a run, with values instead of payloads. Not thread-safe: belongs to the run's coroutines, which execute
 * one at a time.
 */
final class RunSteps {
    private final Replay run;
    private final Payloads payloads;
    private final ActivityOptions options;
    private final Supplier<Dormouse> node;
    private final Map<String, Integer> ordinals = new HashMap<>();

    /** The body of a step. */
    @FunctionalInterface
    public interface Work {
        @Nullable
        Object run(StepAttempt attempt) throws Exception;
    }

    /** The value that a step returned on this node. It is the step's result, unless the result came from elsewhere. */
    private record Live(Payload payload, @Nullable Object value) {}

    /**
     * Creates the steps of one run.
     *
     * @param options the options of steps that are called without options
     * @param node returns the Dormouse of the node that executes the steps
     */
    RunSteps(Replay run, Payloads payloads, ActivityOptions options, Supplier<Dormouse> node) {
        this.run = run;
        this.payloads = payloads;
        this.options = options;
        this.node = node;
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
     * Returns true if an activity is executed as a run of its own. If the history records that, it decides. Otherwise
     * it is so if the activity is in a queue, or if this node does not have it and another node does. An activity that
     * was in flight on this node, and about which nothing is recorded, stays on this node.
     */
    boolean isAway(String name, ActivityOptions how, boolean unknown, boolean elsewhere) {
        Boolean recorded = run.isNextCallAChild();
        if (recorded != null) {
            return recorded;
        }
        return how.queue().isPresent() || unknown && (elsewhere || run.isServed(ActivityTypes.of(name)));
    }

    DormouseException unknown(Class<?> type) {
        return run.refuse(
                ErrorCode.UNKNOWN_ACTIVITY,
                "Expected activities of " + type.getName()
                        + " to be registered, but they are not, and no live node has "
                        + "them. Add .activities(" + type.getSimpleName()
                        + ".class, …) to Dormouse.builder(), or .remoteActivities(" + type.getSimpleName()
                        + ".class) if other nodes execute them.");
    }

    DormouseException unknown(String activity) {
        return run.refuse(
                ErrorCode.UNKNOWN_ACTIVITY,
                "Expected an activity named '" + activity
                        + "' to be registered, but it is not, and no live node has it. Add .activities(…) with "
                        + "an interface that has it, or .activity(\"" + activity
                        + "\", …), to Dormouse.builder(). Overloaded methods cannot be called by name.");
    }

    /**
     * Executes an activity as a run of its own, on any node that has it, and waits for its end.
     *
     * @param name the name of the step in this run
     * @param owner the full name of the interface that the caller uses; empty if only the activity's name is known
     */
    @Nullable
    Object away(String name, String activity, String owner, Type type, ActivityOptions how, List<Payload> arguments) {
        String key = key(name);
        RemoteStep call = new RemoteStep(
                key,
                run.run().workflowId(),
                run.run().runId(),
                run.run().type(),
                EngineOptions.policy(how),
                owner,
                how.waitForCancellation());
        List<Payload> input = new ArrayList<>(List.of(call.encode()));
        input.addAll(arguments);
        PendingCall child =
                run.child(key, ActivityTypes.of(activity), input, ParentClose.TERMINATE, EngineOptions.queued(how));
        CancelledException cancelled = await(child, how);
        Event end = child.end();
        if (end instanceof Event.RunCompleted completed) {
            return read(name, completed.result(), type);
        } else if (end instanceof Event.RunFailed failed) {
            throw either(cancelled, failure(name, failed.failure(), Math.max(1, failed.attempts())));
        } else if (cancelled != null) {
            throw cancelled;
        } else if (end == null) {
            throw new CancelledException("its workflow does not wait for it any more");
        }
        throw failure(name, Failure.of(childFailed(payloads, key, end)), 1);
    }

    /** Waits for the end of a child. Returns the cancellation if the scope was cancelled first, otherwise null. */
    private @Nullable CancelledException await(PendingCall child, ActivityOptions how) {
        try {
            run.until(child::isOver);
            return null;
        } catch (CancelledException cancelled) {
            if (!how.waitForCancellation()) {
                throw cancelled;
            }
            run.untilEvenIfCancelled(child::isOver);
            return cancelled;
        }
    }

    /** Returns {@code failure}, or after a cancellation that with the failure suppressed in it. */
    private static DormouseException either(@Nullable CancelledException cancelled, ActivityFailedException failure) {
        if (cancelled == null) {
            return failure;
        }
        cancelled.addSuppressed(failure);
        return cancelled;
    }

    private ActivityFailedException failure(String step, Failure kept, int attempts) {
        return new ActivityFailedException(
                step,
                attempts,
                StepFailure.text(step, payloads.open(kept), attempts),
                RecordedValues.exception(payloads, kept));
    }

    static ChildFailedException childFailed(Payloads payloads, String workflowId, Event end) {
        return new ChildFailedException(
                workflowId,
                payloads.open(end).summary(),
                end instanceof Event.RunFailed failed ? RecordedValues.exception(payloads, failed.failure()) : null);
    }

    /**
     * Executes a step. Live code also receives the decoded bytes, so that it behaves the same after a crash. A result
     * that cannot be decoded fails the step. A recorded result, or one from elsewhere, that cannot be decoded means
     * that the code has changed.
     */
    @SuppressWarnings("ReferenceEquality") // the very payload that was encoded here
    private @Nullable Object execute(String name, Type type, ActivityOptions how, boolean inTransaction, Work body) {
        required(type, "the type of the result");
        required(how, "activity options");
        AtomicReference<@Nullable Live> live = new AtomicReference<>();
        String key = key(required(name, "the name of a step"));
        StepCall.Body encoded = attempt -> {
            Object value =
                    new ActivityRun(run.run(), caller(), name, key, payloads, attempt, inTransaction, node).call(body);
            if (attempt.isHandedOut()) {
                return Payload.NOTHING;
            }
            Payload payload = type == void.class ? Payload.NOTHING : payloads.encode(value, type);
            live.set(new Live(payload, payloads.decode(payload, type)));
            return payload;
        };
        try {
            StepResult result =
                    run.step(name, EngineOptions.policy(how), inTransaction, how.waitForCancellation(), encoded);
            Live here = live.get();
            return here != null && here.payload == result.payload() ? here.value : read(name, result.payload(), type);
        } catch (StepFailure failed) {
            throw either(failed.cancelled(), failure(name, failed.failure(), failed.attempts()));
        }
    }

    /**
     * Returns the idempotency key: the run, the step's name, and the step's ordinal within that name. It is the same
     * for every attempt on every node.
     */
    private String key(String name) {
        run.checkMayAct("step '" + name + "'"); // a refused call has no ordinal
        RecordedNames.check("step", name);
        return run.started().identity(run.run().runId()) + "/" + name + "/" + ordinals.merge(name, 1, Integer::sum);
    }

    private @Nullable Object read(String name, Payload result, Type type) {
        return RecordedValues.read(payloads, "the recorded result of step '" + name + "'", result, type);
    }
}
