package dev.dormouse.internal.timer;

import dev.dormouse.ActivityOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.codec.Payload;
import dev.dormouse.internal.replay.Replay;
import dev.dormouse.internal.replay.ReplayedCode;
import dev.dormouse.internal.run.RemoteStep;
import dev.dormouse.internal.run.RunCode;
import dev.dormouse.internal.run.StepAttempt;
import dev.dormouse.internal.run.StepCall;
import dev.dormouse.internal.run.TimerTypes;
import dev.dormouse.internal.thread.Threads;
import dev.dormouse.internal.value.EngineOptions;
import dev.dormouse.internal.value.Payloads;
import dev.dormouse.internal.value.RecordedValues;
import dev.dormouse.internal.workflow.ActivityRun;
import dev.dormouse.timer.TimerFiring;
import dev.dormouse.timer.TimerId;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The code of the timers of one handler. Each timer is a run with the handler as its only step. Its input is the
 * execution options, in the form of a stand-alone activity, and the payload.
 */
public final class TimerCode {
    private final String handler;
    private final Type type;
    private final boolean inTransaction;
    private final Body body;
    private final Payloads payloads;
    private final Supplier<Dormouse> node;

    /** A handler, in the form that accepts all available information. */
    interface Body {
        void fire(@Nullable Object payload, TimerFiring firing, StepAttempt attempt) throws Exception;
    }

    /** @param node returns the Dormouse of the node that executes the handler */
    TimerCode(String handler, Type type, boolean inTransaction, Body body, Payloads payloads, Supplier<Dormouse> node) {
        this.handler = handler;
        this.type = type;
        this.inTransaction = inTransaction;
        this.body = body;
        this.payloads = payloads;
        this.node = node;
    }

    public static List<Payload> input(ActivityOptions firing, Payload payload) {
        RemoteStep step = new RemoteStep(
                "", "", new UUID(0, 0), "", EngineOptions.policy(firing), "", firing.waitForCancellation());
        return List.of(step.encode(), payload);
    }

    /**
     * Returns a copy of the input by which no attempt of the handler begins later than {@code limit} after the first.
     */
    public static List<Payload> retriedAtMost(Duration limit, List<Payload> input) {
        RemoteStep how = RecordedValues.call(input.get(0));
        RemoteStep limited = new RemoteStep(
                how.key(),
                how.workflowId(),
                how.runId(),
                how.type(),
                how.policy().retryAtMost(limit),
                how.owner(),
                how.waitsForCancellation());
        return List.of(limited.encode(), input.get(1));
    }

    RunCode runs(Threads threads) {
        return ReplayedCode.ofStep(this::prepare, threads).keeping(payloads::keep);
    }

    private Callable<Payload> prepare(Replay run) {
        List<Payload> input = run.input();
        RemoteStep how = RecordedValues.call(input.get(0));
        RecordedValues.read(payloads, "the payload of a timer of handler '" + handler + "'", input.get(1), type);
        String key = run.started().identity(run.run().runId()) + "/" + handler + "/1";
        StepCall.Body step = attempt -> {
            caller(run, key, attempt).call(here -> {
                body.fire(payloads.decode(input.get(1), type), firing(run, key, attempt), attempt);
                return null;
            });
            return Payload.NOTHING;
        };
        return () -> run.step(handler, how.policy(), inTransaction, how.waitsForCancellation(), step)
                .payload();
    }

    private ActivityRun caller(Replay run, String key, StepAttempt attempt) {
        ActivityRun.Caller itself = new ActivityRun.Caller(
                run.run().workflowId(), run.run().runId(), run.run().type());
        return new ActivityRun(run.run(), itself, handler, key, payloads, attempt, inTransaction, node);
    }

    private static TimerFiring firing(Replay run, String key, StepAttempt attempt) {
        TimerId id = new TimerId(TimerTypes.timerId(run.run().workflowId()));
        return new TimerFiring(id, attempt.number(), key);
    }
}
