package dev.dormouse.internal.workflow;

import dev.dormouse.ChildOptions;
import dev.dormouse.IdReuse;
import dev.dormouse.codec.Payload;
import dev.dormouse.error.CancelledException;
import dev.dormouse.internal.history.ChildStart;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.ParentClose;
import dev.dormouse.internal.replay.Deadlines;
import dev.dormouse.internal.replay.PendingChild;
import dev.dormouse.internal.replay.Replay;
import dev.dormouse.internal.run.StepPolicy;
import dev.dormouse.internal.value.Arguments;
import dev.dormouse.internal.value.EngineOptions;
import dev.dormouse.internal.value.Ids;
import dev.dormouse.internal.value.Payloads;
import dev.dormouse.internal.value.RecordedValues;
import dev.dormouse.store.run.Queued;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The children that a run's code starts. Not thread-safe: belongs to the run's coroutines. */
final class RunChildren {
    private final Replay run;
    private final Payloads payloads;
    private final RunContext context;
    private final Consumer<String> checkExecutable;

    /** @param checkExecutable throws if no node can ever execute a workflow type */
    RunChildren(Replay run, Payloads payloads, RunContext context, Consumer<String> checkExecutable) {
        this.run = run;
        this.payloads = payloads;
        this.context = context;
        this.checkExecutable = checkExecutable;
    }

    /** Requests a child. */
    <R> RunChild<@Nullable R> start(
            ChildOptions options,
            String type,
            String workflowId,
            Type resultType,
            List<Payload> input,
            boolean isReported) {
        Arguments.required(options, "options");
        Arguments.required(type, "a workflow type");
        Ids.checkNewWorkflowId(workflowId);
        Ids.checkedType(type);
        checkTimes(options);
        if (run.isNextCallAChild() == null) {
            checkExecutable.accept(type);
        }
        Request request =
                new Request(workflowId, type, input, EngineOptions.parentClose(options), EngineOptions.queued(options));
        PendingChild first = request.send(run, start(options, options.idReuse(), isReported), delay(options));
        StepPolicy retry = EngineOptions.retry(options);
        PendingChild child = retry == null
                ? first
                : new RetriedChild(
                        run,
                        retry,
                        first,
                        () -> request.send(run, start(options, IdReuse.START_UNLESS_COMPLETED, false), null));
        return new RunChild<>(
                run,
                context,
                workflowId,
                child,
                () -> startedAs(workflowId, first),
                () -> this.<R>ended(workflowId, child.end(), resultType));
    }

    /** The part of a child's request that is the same for all its attempts. */
    private record Request(
            String workflowId,
            String type,
            List<Payload> input,
            ParentClose parentClose,
            @Nullable Queued queued) {

        PendingChild send(Replay run, ChildStart start, @Nullable Duration delay) {
            ChildStart special = start.isPlain() && delay == null ? null : start;
            return run.child(workflowId, type, input, parentClose, queued, special, delay);
        }
    }

    private static ChildStart start(ChildOptions options, IdReuse reuse, boolean isReported) {
        Duration timeout = options.executionTimeout().orElse(null);
        return new ChildStart(
                null,
                timeout != null && timeout.isNegative() ? Duration.ZERO : timeout,
                EngineOptions.idPolicy(reuse),
                options.memo(),
                isReported);
    }

    private static @Nullable Duration delay(ChildOptions options) {
        return options.startDelay()
                .filter(delay -> !delay.isNegative() && !delay.isZero())
                .orElse(null);
    }

    /** Throws if a delay or timeout is too long. Depends on the run's time only, so that every replay fails alike. */
    private void checkTimes(ChildOptions options) {
        Duration delay = delay(options);
        Instant begin = delay == null ? run.now() : Deadlines.plus(run.now(), delay);
        options.executionTimeout().ifPresent(timeout -> Deadlines.plus(begin, timeout));
    }

    private UUID startedAs(String workflowId, PendingChild first) {
        Event end = first.end();
        if (first.isRefused() && end != null) {
            throw RunSteps.childFailed(payloads, workflowId, end);
        }
        return first.runId();
    }

    @SuppressWarnings("unchecked") // the codec returns the requested type, or throws
    private <R> @Nullable R ended(String workflowId, @Nullable Event end, Type resultType) {
        if (end instanceof Event.RunCompleted completed) {
            String what = "the result of child '" + workflowId + "'";
            return (R) RecordedValues.read(payloads, what, completed.result(), resultType);
        } else if (end == null) {
            throw new CancelledException("its parent does not wait for it any more");
        }
        throw RunSteps.childFailed(payloads, workflowId, end);
    }
}
