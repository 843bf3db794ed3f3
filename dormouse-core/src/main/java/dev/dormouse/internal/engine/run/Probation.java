package dev.dormouse.internal.engine.run;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.internal.run.Evicted;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.RunRow;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The return of a run that a dead node held: it starts at once, later, or becomes stuck. {@link CrashLoopGuard}
 * decides, and this class commits the decision.
 *
 * @param unchanged creates a commit that changes only the state
 */
record Probation(RunParts parts, RunRow row, ClaimContext claimContext, Function<NextState, Commit> unchanged) {
    private static final Logger LOG = LoggerFactory.getLogger(Probation.class);
    private static final Duration AFTER_DEADLINE = Duration.ofSeconds(1);

    /** Returns true if the run must not start now; otherwise it is marked as on probation. */
    boolean mustWait(LocalRun run) {
        CrashLoopGuard.Verdict verdict = parts.crashLoops().judge(run, row, claimContext.takenOver());
        if (verdict instanceof CrashLoopGuard.Verdict.Stuck stuck) {
            becomeStuck(stuck.delay());
        } else if (verdict instanceof CrashLoopGuard.Verdict.Later later) {
            postpone(later.delay());
        } else {
            begin();
            return false;
        }
        return true;
    }

    private void begin() {
        CommitOutcome outcome = commit(NextState.probation(row.lease()));
        if (outcome instanceof CommitOutcome.Fenced) {
            parts.host().fenced(row.shard(), row.runId(), Set.of(row.lease()));
        }
        if (!(outcome instanceof CommitOutcome.Committed)) {
            throw new Evicted();
        }
    }

    private void postpone(Duration delay) {
        Alarm later = new Alarm.In(delay);
        commit(
                claimContext.wasStuck()
                        ? NextState.stuck(later, row.trouble())
                        : NextState.pending(later, WakeReason.BACKOFF));
        parts.host().arm(row.lane(), parts.context().clock().latest().plus(delay));
    }

    private void becomeStuck(Duration longest) {
        Duration delay = untilDeadline(longest);
        DormouseException reason = new DormouseException(
                ErrorCode.TOO_MANY_TAKEOVERS,
                "Expected run " + row.runId() + " (workflow id '" + row.workflowId()
                        + "') to reach a commit, but its node died " + row.takeovers()
                        + " times while it executed. It is stuck and is retried in " + delay
                        + ". See what its next step does to the process.");
        LOG.warn(reason.getMessage());
        commit(NextState.stuck(new Alarm.In(delay), reason.getMessage()));
    }

    /**
     * Returns the time until shortly after the run's execution deadline, or {@code longest} if that is sooner. A
     * retry just before the deadline would only execute the step again.
     */
    private Duration untilDeadline(Duration longest) {
        Instant deadline =
                parts.context().persist(() -> parts.context().started(row)).deadline();
        if (deadline == null || parts.context().clock().hasReached(deadline)) {
            return longest;
        }
        Duration left = parts.context().clock().until(deadline);
        return left.compareTo(longest) < 0 ? left.plus(AFTER_DEADLINE) : longest;
    }

    private CommitOutcome commit(NextState next) {
        return parts.context().commit(row.shard(), unchanged.apply(next));
    }
}
