package dev.dormouse.internal.value;

import dev.dormouse.ActivityOptions;
import dev.dormouse.ChildOptions;
import dev.dormouse.IdReuse;
import dev.dormouse.QueueOptions;
import dev.dormouse.RetryPolicy;
import dev.dormouse.StartOptions;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.internal.history.IdPolicy;
import dev.dormouse.internal.history.Origin;
import dev.dormouse.internal.history.ParentClose;
import dev.dormouse.internal.run.QueueLimits;
import dev.dormouse.internal.run.StepPolicy;
import dev.dormouse.store.queue.QueueClaim;
import dev.dormouse.store.run.Queued;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Conversions of the options that users set into the engine's own types. */
public final class EngineOptions {
    private EngineOptions() {}

    public static StepPolicy policy(ActivityOptions options) {
        RetryPolicy retry = options.retry();
        return new StepPolicy(
                retry.initialInterval(),
                retry.backoffCoefficient(),
                retry.maxInterval(),
                retry.jitter(),
                retry.maxAttempts(),
                retry.maxDuration().orElse(null),
                retry.nonRetryable(),
                options.totalTimeout().orElse(null),
                options.attemptTimeout().orElse(null),
                options.heartbeatTimeout().orElse(null));
    }

    public static QueueLimits limits(QueueOptions options) {
        return new QueueLimits(
                options.maxPerNode(),
                options.maxTotal(),
                options.rate().map(EngineOptions::rate).orElse(null),
                options.ratePerKey().map(EngineOptions::rate).orElse(null));
    }

    private static QueueClaim.Rate rate(QueueOptions.Rate rate) {
        return new QueueClaim.Rate(rate.number(), rate.period());
    }

    /** Returns the place of a run in a queue; null if it has none. */
    public static @Nullable Queued queued(StartOptions options) {
        return queued(options.queue(), options.priority(), options.rateKey());
    }

    /** Returns the place of an activity in a queue; null if it has none. */
    public static @Nullable Queued queued(ActivityOptions options) {
        return queued(options.queue(), options.priority(), options.rateKey());
    }

    /** Returns the place of a child in a queue; null if it has none. */
    public static @Nullable Queued queued(ChildOptions options) {
        return queued(options.queue(), options.priority(), options.rateKey());
    }

    private static @Nullable Queued queued(Optional<String> queue, int priority, String rateKey) {
        return queue.map(name -> new Queued(name, priority, rateKey)).orElse(null);
    }

    /** Returns the debounce of a start; null if it has none. */
    public static Origin.@Nullable Debounce debounce(StartOptions options) {
        Optional<Duration> limit = options.debounceLimit();
        return limit.isEmpty()
                ? null
                : new Origin.Debounce(options.debounceQuiet().orElseThrow(), limit.get());
    }

    /** Returns the policy for further attempts of a child; null if it has only one. */
    public static @Nullable StepPolicy retry(ChildOptions options) {
        return options.retry()
                .filter(retry -> retry.maxAttempts() != 1)
                .map(retry -> policy(ActivityOptions.DEFAULT.withRetry(retry)))
                .orElse(null);
    }

    /** Returns the effect of a closed run of a child's workflow id. */
    public static IdPolicy idPolicy(IdReuse reuse) {
        return switch (reuse) {
            case REJECT -> IdPolicy.REJECT;
            case RETURN_CLOSED -> IdPolicy.RETURN_CLOSED;
            case START_UNLESS_COMPLETED -> IdPolicy.START_UNLESS_COMPLETED;
            case START_NEW -> IdPolicy.START_NEW;
        };
    }

    /** Returns the treatment of a child whose parent closes first. */
    public static ParentClose parentClose(ChildOptions options) {
        return switch (options.parentClosePolicy()) {
            case TERMINATE -> ParentClose.TERMINATE;
            case CANCEL -> ParentClose.CANCEL;
            case ABANDON -> ParentClose.ABANDON;
        };
    }

    /** Returns the statuses of closed runs that a start replaces by a new run. */
    public static Set<RunStatus> replaces(IdReuse reuse) {
        return switch (reuse) {
            case RETURN_CLOSED, REJECT -> EnumSet.noneOf(RunStatus.class);
            case START_UNLESS_COMPLETED ->
                EnumSet.of(RunStatus.FAILED, RunStatus.TERMINATED, RunStatus.TIMED_OUT, RunStatus.CANCELLED);
            case START_NEW ->
                EnumSet.of(
                        RunStatus.COMPLETED,
                        RunStatus.FAILED,
                        RunStatus.TERMINATED,
                        RunStatus.TIMED_OUT,
                        RunStatus.CANCELLED);
        };
    }
}
