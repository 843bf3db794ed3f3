package dev.dormouse;

import dev.dormouse.codec.Payload;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.history.Event;
import dev.dormouse.replay.Replay;
import dev.dormouse.replay.StepFailure;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** The workflow context of a run: {@link Replay} with values instead of payloads. */
final class RunContext implements WorkflowContext {
    private final Replay run;
    private final Payloads payloads;
    private final Map<Class<?>, Object> activities;

    RunContext(Replay run, Payloads payloads, Map<Class<?>, Object> activities) {
        this.run = run;
        this.payloads = payloads;
        this.activities = activities;
    }

    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // the codec returns what it was asked for, null included, or fails
    public <T extends @Nullable Object> T step(String name, Class<T> type, StepFunction<T> body) {
        return (T) step(name, (Type) type, body);
    }

    @Override
    public void step(String name, StepAction body) {
        step(name, (Type) void.class, () -> nothing(body));
    }

    @SuppressWarnings("NullAway") // nothing is null
    private static <T extends @Nullable Object> T nothing(StepAction body) throws Exception {
        body.run();
        return null;
    }

    /**
     * Live code receives the decoded bytes too, so that what works now also works after a crash: a result that cannot be
     * read back is a failure of the step, and one that could be when it was recorded tells of changed code.
     */
    @Nullable
    Object step(String name, Type type, StepFunction<? extends @Nullable Object> body) {
        AtomicReference<@Nullable Object> live = new AtomicReference<>(this);
        try {
            Payload result = run.step(name, () -> {
                Object value = body.run();
                Payload payload = type == void.class ? Payload.NOTHING : payloads.encode(value);
                live.set(payloads.decode(payload, type));
                return payload;
            });
            Object value = live.get();
            return value == this ? decodeRecorded(name, result, type) : value;
        } catch (StepFailure failed) {
            throw new ActivityFailure(name, failed.failure());
        }
    }

    private @Nullable Object decodeRecorded(String name, Payload result, Type type) {
        try {
            return payloads.decode(result, type);
        } catch (DormouseException changed) {
            throw run.refuse(
                    ErrorCode.CODE_DOES_NOT_MATCH,
                    "Expected the recorded result of step '" + name + "' to be read as " + type.getTypeName()
                            + ", but: " + changed.getMessage());
        }
    }

    @Override
    public <A> A activities(Class<A> type) {
        ActivityStub.check(type);
        Object implementation = activities.get(type);
        if (implementation == null) {
            throw run.refuse(
                    ErrorCode.UNKNOWN_ACTIVITY,
                    "Expected activities of " + type.getName() + " to be registered, but they are not. Add .activities("
                            + type.getSimpleName() + ".class, …) to Dormouse.builder().");
        }
        return ActivityStub.of(type, this, payloads, implementation);
    }

    @Override
    public void sleep(Duration duration) {
        run.sleep(duration);
    }

    @Override
    public void sleepUntil(Instant instant) {
        run.sleepUntil(instant);
    }

    @Override
    public Instant now() {
        return run.now();
    }

    @Override
    public UUID randomUuid() {
        return run.randomUuid();
    }

    @Override
    public int version(String change, int min, int max) {
        return run.version(change, min, max);
    }

    @Override
    public WorkflowInfo info() {
        Event.RunStarted started = run.started();
        return new WorkflowInfo(
                run.run().workflowId(),
                run.run().runId(),
                started.type(),
                started.at(),
                Optional.ofNullable(started.deadline()),
                started.memo(),
                run.isReplaying());
    }

    @Override
    public Logger logger() {
        return ReplayLogger.of(run);
    }
}
