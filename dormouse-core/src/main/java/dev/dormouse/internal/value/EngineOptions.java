package dev.dormouse.internal.value;

import dev.dormouse.ActivityOptions;
import dev.dormouse.IdReuse;
import dev.dormouse.QueueOptions;
import dev.dormouse.RetryPolicy;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.internal.run.QueueLimits;
import dev.dormouse.internal.run.StepPolicy;
import java.util.EnumSet;
import java.util.Set;

/** Conversions of the options that users set into the engine's own types. */
public final class EngineOptions {
    private EngineOptions() {}

    public static StepPolicy policy(ActivityOptions options) {
        RetryPolicy retry = options.retry();
        return new StepPolicy(
                retry.initialInterval(),
                retry.coefficient(),
                retry.largestInterval(),
                retry.jitter(),
                retry.attempts(),
                retry.totalTime().orElse(null),
                retry.nonRetryable(),
                options.timeout().orElse(null),
                options.attemptTimeout().orElse(null),
                options.heartbeatTimeout().orElse(null));
    }

    public static QueueLimits limits(QueueOptions options) {
        return new QueueLimits(
                options.perNode(),
                options.total(),
                options.rate().orElse(null),
                options.keyRate().orElse(null));
    }

    /** Returns the statuses of closed runs that a start replaces by a new run. */
    public static Set<RunStatus> replaces(IdReuse reuse) {
        return switch (reuse) {
            case RETURN_CLOSED, REJECT -> EnumSet.noneOf(RunStatus.class);
            case START_UNLESS_COMPLETED ->
                EnumSet.of(RunStatus.FAILED, RunStatus.TERMINATED, RunStatus.TIMED_OUT, RunStatus.CANCELED);
            case START_NEW ->
                EnumSet.of(
                        RunStatus.COMPLETED,
                        RunStatus.FAILED,
                        RunStatus.TERMINATED,
                        RunStatus.TIMED_OUT,
                        RunStatus.CANCELED);
        };
    }
}
