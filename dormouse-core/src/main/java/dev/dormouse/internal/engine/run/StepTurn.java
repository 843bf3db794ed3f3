package dev.dormouse.internal.engine.run;

import dev.dormouse.internal.engine.context.NodeContext;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.run.StepCall;
import dev.dormouse.store.StoreTransaction;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.RunRow;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How the steps of a run come to execute: on its own thread, on threads beside it, or in a transaction. */
final class StepTurn {
    private static final Logger LOG = LoggerFactory.getLogger(StepTurn.class);
    private static final Duration NO_THREAD_DELAY = Duration.ofSeconds(1);

    private final Activation activation;
    private final NodeContext context;
    private final RunHost host;
    private final RunRow row;
    private final RunLog log;
    private final Steps steps;
    private final Committer committer;
    private final DeferredResults late;
    private final Pauses pauses;
    private final CancelWatch cancels;
    private final Function<EndedAttempt, @Nullable Event> after;

    /** @param after what becomes of a step that has ended on the run's own thread */
    StepTurn(
            Activation activation,
            Committer committer,
            DeferredResults late,
            Pauses pauses,
            CancelWatch cancels,
            Function<EndedAttempt, @Nullable Event> after) {
        this.activation = activation;
        this.context = activation.parts().context();
        this.host = activation.parts().host();
        this.row = activation.row();
        this.log = activation.log();
        this.steps = activation.steps();
        this.committer = committer;
        this.late = late;
        this.pauses = pauses;
        this.cancels = cancels;
        this.after = after;
    }

    /**
     * Begins the wanted steps; the result, where there was but one and nothing else to wait for.
     *
     * @param alone whether nothing but the one step can make the run go on
     */
    @Nullable
    Event begin(boolean alone) {
        if (activation.isClosing() && !steps.hasInFlight()) {
            pauses.giveBack(Alarm.NOW);
        }
        StepCall inTransaction = steps.inTransaction();
        if (committer.mustRenew()
                || log.hasFresh() && (inTransaction != null || late.left().isZero())) {
            committer.commit();
        }
        if (inTransaction != null) {
            startReady();
            return transact(inTransaction);
        }
        StepCall only = alone ? steps.only() : null;
        if (only != null) {
            return after.apply(execute(only));
        }
        startReady();
        return null;
    }

    private EndedAttempt execute(StepCall step) {
        late.lend();
        try {
            return cancels.runHere(step, null);
        } finally {
            late.takeBack();
        }
    }

    private void startReady() {
        try {
            steps.startReady();
        } catch (RejectedExecutionException | OutOfMemoryError noThread) {
            LOG.warn("No thread for a step of run {}; it is tried again", row.runId(), noThread);
            if (!steps.hasInFlight()) {
                host.arm(row.lane(), context.clock().latest().plus(NO_THREAD_DELAY));
                pauses.giveBack(new Alarm.In(NO_THREAD_DELAY));
            }
            activation.gate().pass(NO_THREAD_DELAY); // what has begun must end here
        }
    }

    /**
     * Executes a step whose rows and whose result are committed together. On the run's own thread: no other commit of
     * this run can come in between, and on a store with one writer it would wait for the transaction, and that for it.
     */
    private @Nullable Event transact(StepCall step) {
        EndedAttempt end;
        CommitOutcome outcome;
        try (StoreTransaction transaction =
                StepCommit.begin(context.store(), row.shard(), activation.gate(), activation::check)) {
            end = cancels.runHere(step, transaction.connection());
            if (!(end.end() instanceof StepEnd.Completed)) {
                return after.apply(end);
            }
            activation.check();
            Event event = end.at(log.stamp(context.clock().latest()));
            log.add(event);
            committer.transacted(end);
            Commit commit = log.commit(committer.running(), null);
            outcome = StepCommit.send(transaction, commit, activation.gate(), activation::check);
            if (outcome instanceof CommitOutcome.Committed committed) {
                committer.applied(commit, committed);
                return event;
            }
        }
        log.forget();
        committer.notTransacted(end);
        return refused(end, outcome);
    }

    private @Nullable Event refused(EndedAttempt end, CommitOutcome outcome) {
        if (outcome instanceof CommitOutcome.Rejected rejected) {
            return after.apply(steps.failed(end, rejected.reason()));
        } else if (outcome instanceof CommitOutcome.Unknown unknown) {
            if (committer.fenceOff()) {
                return after.apply(steps.failed(end, unknown.cause()));
            }
            throw activation.restart();
        }
        throw committer.refused(outcome);
    }
}
