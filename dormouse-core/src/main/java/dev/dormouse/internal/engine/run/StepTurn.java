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

/**
 * The start of wanted steps: on the run's own thread, on threads of their own, or in a transaction.
 *
 * <p>Before a step starts, all fresh events are committed, unless they are results that may be deferred. So a step
 * never depends on events that could be dropped. A node that closes starts no further step: once no step is in
 * flight, it releases the run. Confined to the run's thread.
 */
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
    private final DeferredResults deferred;
    private final Pauses pauses;
    private final CancelWatch cancels;
    private final Function<EndedAttempt, @Nullable Event> after;

    /** @param after handles a step that has ended on the run's own thread; returns the next input, or null */
    StepTurn(
            Activation activation,
            Committer committer,
            DeferredResults deferred,
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
        this.deferred = deferred;
        this.pauses = pauses;
        this.cancels = cancels;
        this.after = after;
    }

    /**
     * Starts the wanted steps. Returns the end of a step that was executed on this thread; null if there is none, or
     * if another input precedes it.
     *
     * @param alone true if only this one step can let the run continue
     */
    @Nullable
    Event begin(boolean alone) {
        if (activation.isClosing() && !steps.hasInFlight()) {
            pauses.release(Alarm.NOW);
        }
        StepCall inTransaction = steps.inTransaction();
        if (committer.mustRenew()
                || log.hasFresh() && (inTransaction != null || deferred.left().isZero())) {
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
        deferred.lend();
        try {
            return cancels.runOnThisThread(step, null);
        } finally {
            deferred.takeBack();
        }
    }

    private void startReady() {
        try {
            steps.startReady();
        } catch (RejectedExecutionException | OutOfMemoryError noThread) {
            LOG.warn("Failed to start a thread for a step of run {}; trying again", row.runId(), noThread);
            if (!steps.hasInFlight()) {
                host.arm(row.lane(), context.clock().latest().plus(NO_THREAD_DELAY));
                pauses.release(new Alarm.In(NO_THREAD_DELAY));
            }
            activation.gate().pass(NO_THREAD_DELAY); // steps in flight must end on this node
        }
    }

    /**
     * Executes a step whose rows and result are committed in one transaction. It runs on the run's own thread, so
     * that no other commit of this run can come in between. On a store with one writer, such a commit and the
     * transaction would wait for each other.
     *
     * <p>If the answer to the commit is lost, {@link Committer#fenceOff} decides. If the fencing succeeds, the
     * transaction was not applied and the attempt has failed. Otherwise the activation restarts from what the store
     * has.
     */
    private @Nullable Event transact(StepCall step) {
        EndedAttempt end;
        CommitOutcome outcome;
        try (StoreTransaction transaction =
                StepTransactionCommit.begin(context.store(), row.shard(), activation.gate(), activation::check)) {
            end = cancels.runOnThisThread(step, transaction.connection());
            if (!(end.end() instanceof StepEnd.Completed)) {
                return after.apply(end);
            }
            activation.check();
            Event event = end.at(log.stamp(context.clock().latest()));
            log.add(event);
            committer.transacted(end);
            Commit commit = log.commit(committer.running(), null);
            outcome = send(transaction, commit);
            if (outcome instanceof CommitOutcome.Committed committed) {
                committer.applied(commit, committed);
                return event;
            }
        }
        log.forget();
        committer.notTransacted(end);
        return refused(end, outcome);
    }

    private CommitOutcome send(StoreTransaction transaction, Commit commit) {
        log.beginWrite();
        try {
            return StepTransactionCommit.send(transaction, commit, activation.gate(), activation::check);
        } finally {
            log.endWrite();
        }
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
