package dev.dormouse.internal.workflow;

import dev.dormouse.UpdatableTimer;
import dev.dormouse.codec.Payload;
import dev.dormouse.error.CancelledException;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.WaitDescription;
import dev.dormouse.internal.history.Failure;
import dev.dormouse.internal.history.Message;
import dev.dormouse.internal.replay.OpenWait;
import dev.dormouse.internal.replay.ReceivedMessage;
import dev.dormouse.internal.replay.Replay;
import dev.dormouse.internal.value.EventSignals;
import dev.dormouse.internal.value.Payloads;
import dev.dormouse.internal.value.RecordedValues;
import java.lang.reflect.Method;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The delivery of a run's signals, updates and queries to the methods of its implementation, or to the code that waits
 * for them. Not thread-safe: belongs to the run's coroutines, which execute one at a time.
 */
public final class RunMail {
    /** The update that moves a named timer from outside. */
    public static final String MOVE_TIMER = "dormouse.timer";

    /** The update that moves any wait from outside. */
    public static final String MOVE_WAIT = "dormouse.wait";

    /** The query that returns the run's waits. */
    public static final String WAITS = "dormouse.waits";

    /**
     * The codec of the engine's own updates and queries: nodes and tools may have other user codecs than the workflow.
     */
    private static final Logger LOG = LoggerFactory.getLogger(RunMail.class);

    private final Replay run;
    private final Payloads payloads;
    private final WorkflowMethods methods;
    private final Object target;
    private final Map<String, UpdatableTimer> timers;
    private final ArrayDeque<ReceivedSignal> unhandled;
    private final RunEvents events;

    /**
     * Creates the delivery for one run.
     *
     * @param target the implementation
     * @param timers the named timers
     * @param unhandled receives the signals that no method handles
     * @param events receives the events
     */
    RunMail(
            Replay run,
            Payloads payloads,
            WorkflowMethods methods,
            Object target,
            Map<String, UpdatableTimer> timers,
            ArrayDeque<ReceivedSignal> unhandled,
            RunEvents events) {
        this.run = run;
        this.payloads = payloads;
        this.methods = methods;
        this.target = target;
        this.timers = timers;
        this.unhandled = unhandled;
        this.events = events;
    }

    void open() {
        run.onQuery(this::query);
        run.onMail(this::read);
    }

    private void read(ReceivedMessage received) {
        if (received.message() instanceof Message.Signal signal) {
            signal(signal);
        } else if (received.message() instanceof Message.Update update) {
            update(received.position(), update);
        }
    }

    // ---- signals

    private void signal(Message.Signal signal) {
        if (EventSignals.isReserved(signal.name())) {
            events.received(signal);
            return;
        }
        Method method = methods.signals().get(signal.name());
        if (method == null) {
            unhandled.add(new ReceivedSignal(signal.name(), signal.arguments(), payloads));
            return;
        }
        @Nullable
        Object[] values = RecordedValues.readAll(
                payloads, "signal '" + signal.name() + "'", signal.arguments(), methods.parameters(method));
        try {
            WorkflowDefinition.invoke(method, target, values);
        } catch (CancelledException cancelled) {
            // the run is about to end
        } catch (Exception | AssertionError | LinkageError | StackOverflowError thrown) {
            log(signal.name(), Failure.of(thrown));
        }
    }

    private void log(String signal, Failure thrown) {
        if (!run.isReplaying()) {
            LOG.error(
                    "[{}] Expected the handler of signal '{}' in run {} of workflow id '{}' to return, but it threw. The "
                            + "run continues. Use an update if the sender should receive the error. {}",
                    ErrorCode.HANDLER_FAILED.label(),
                    signal,
                    run.run().runId(),
                    run.run().workflowId(),
                    thrown.stackTrace());
        }
    }

    private @Nullable Object[] arguments(Method method, List<Payload> encoded) {
        return payloads.decodeAll(encoded, methods.parameters(method));
    }

    // ---- updates

    private void update(long position, Message.Update update) {
        try {
            if (update.name().equals(MOVE_TIMER)) {
                moveTimer(update.arguments());
                run.answer(position, false, Payload.NOTHING, null);
            } else if (update.name().equals(MOVE_WAIT)) {
                moveWait(update.arguments());
                run.answer(position, false, Payload.NOTHING, null);
            } else {
                update(position, update, methods.updates().get(update.name()));
            }
        } catch (Exception | AssertionError | LinkageError | StackOverflowError thrown) {
            run.answer(position, false, Payload.NOTHING, payloads.keep(thrown));
        }
    }

    private void update(long position, Message.Update update, @Nullable Method method) throws Exception {
        if (method == null) {
            throw new DormouseException(
                    ErrorCode.UNKNOWN_UPDATE,
                    "Expected an update of workflow type '" + methods.name() + "', one of "
                            + methods.updates().keySet() + ", but got '" + update.name() + "'.");
        }
        @Nullable Object[] values = arguments(position, update, method);
        Method validator = methods.validators().get(update.name());
        if (validator != null) {
            try {
                run.readOnlyGuard(() -> WorkflowDefinition.invoke(validator, target, values));
            } catch (Exception | AssertionError | LinkageError | StackOverflowError refused) {
                run.answer(position, true, Payload.NOTHING, payloads.keep(refused));
                return;
            }
        }
        Object result = WorkflowDefinition.invoke(method, target, values);
        boolean isVoid = method.getReturnType() == void.class;
        run.answer(position, false, isVoid ? Payload.NOTHING : payloads.encode(result, methods.result(method)), null);
    }

    /**
     * Decodes the arguments of an update. If they do not fit, the sender receives the error. But if the recorded answer
     * is different, the code has changed, and the run is stopped.
     */
    private @Nullable Object[] arguments(long position, Message.Update update, Method method) {
        return run.mayRefuse(position)
                ? arguments(method, update.arguments())
                : RecordedValues.readAll(
                        payloads, "update '" + update.name() + "'", update.arguments(), methods.parameters(method));
    }

    @SuppressWarnings("NullAway") // the sender encodes a name, an instant and a reason
    private void moveTimer(List<Payload> arguments) {
        String name = (String) payloads.decode(arguments.get(0), String.class);
        Instant instant = (Instant) payloads.decode(arguments.get(1), Instant.class);
        String reason = (String) payloads.decode(arguments.get(2), String.class);
        UpdatableTimer timer = timers.get(name);
        if (timer == null) {
            throw new DormouseException(
                    ErrorCode.TIMER_REFUSED,
                    "Expected a timer '" + name + "' of workflow id '"
                            + run.run().workflowId() + "', one of " + timers.keySet()
                            + ", but there is none. Name it with Workflow.newUpdatableTimer(name).");
        }
        timer.updateWakeUpTime(instant, reason);
    }

    @SuppressWarnings("NullAway") // the sender encodes a number, an instant, a reason and a run
    private void moveWait(List<Payload> arguments) {
        int call = (Integer) Payloads.OWN.decode(arguments.get(0), Integer.class);
        Instant instant = (Instant) Payloads.OWN.decode(arguments.get(1), Instant.class);
        if (arguments.size() > 3) { // older histories have no run id
            checkRun((String) Payloads.OWN.decode(arguments.get(3), String.class));
        }
        run.moveWait(call, instant, (String) Payloads.OWN.decode(arguments.get(2), String.class));
    }

    /**
     * Throws if the wait belongs to another run of this workflow id. The outcome is the same in every replay, even in
     * that of a run that was reset and shares the history.
     */
    private void checkRun(String meant) {
        UUID own = run.started().identity(run.run().runId());
        if (!own.toString().equals(meant)) {
            throw new DormouseException(
                    ErrorCode.TIMER_REFUSED,
                    "Expected a wait of the current run of workflow id '"
                            + run.run().workflowId() + "', "
                            + run.run().runId() + ", but the wait belongs to run " + meant
                            + ", which has ended. Read the run's waits again.");
        }
    }

    // ---- queries

    private Payload query(String name, List<Payload> arguments) throws Exception {
        if (name.equals(WAITS)) {
            return Payloads.OWN.encode(
                    run.waits().stream().map(RunMail::described).toList());
        }
        Method method = methods.queries().get(name);
        if (method == null) {
            throw new DormouseException(
                    ErrorCode.UNKNOWN_QUERY,
                    "Expected a query of workflow type '" + methods.name() + "', one of "
                            + methods.queries().keySet() + ", but got '" + name + "'.");
        }
        Object answer = WorkflowDefinition.invoke(method, target, arguments(method, arguments));
        return payloads.encode(answer, methods.result(method));
    }

    private static WaitDescription described(OpenWait wait) {
        return new WaitDescription(
                wait.call(),
                WaitDescription.Kind.valueOf(wait.kind().name()),
                wait.name(),
                wait.since(),
                Optional.ofNullable(wait.until()),
                wait.canMove(),
                wait.at());
    }
}
