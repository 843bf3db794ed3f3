package dev.dormouse;

import static dev.dormouse.Arguments.required;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a workflow has to undo if it cannot go on. Belongs to the coroutines of the run whose code made it.
 *
 * <pre>{@code
 * Saga saga = new Saga();
 * try {
 *   String flight = travel.bookFlight(trip);
 *   saga.addCompensation(() -> travel.cancelFlight(flight));
 *   String hotel = travel.bookHotel(trip);
 *   saga.addCompensation(() -> travel.cancelHotel(hotel));
 *   …
 * } catch (RuntimeException problem) {   // a cancel is one, too
 *   throw saga.compensateAfter(problem);
 * }
 * }</pre>
 *
 * <p>A cancel is a {@link dev.dormouse.error.CanceledFailure} and not an {@link ActivityFailure}: code that catches only the latter
 * undoes nothing when its run is cancelled. A run that ends like this is logged as a warning.
 *
 * <p>By default compensations run one after the other, the last added first, and all of them, also if one fails;
 * {@link SagaOptions} has it otherwise. They are workflow code: their steps are durable, and after a crash the run goes on
 * with those that were left. They run in a detached scope, so that a cancelled run can still undo. {@link Compensate} does
 * all this for the calls of an activity interface; use one of the two for an activity, or it is undone twice.
 */
public final class Saga {
    private final Compensations run;
    private final SagaOptions options;
    private final ArrayDeque<Compensation> left = new ArrayDeque<>();
    private int added;
    private boolean compensating;
    private boolean compensated;

    private record Compensation(String name, Runnable body) {}

    /** One with {@link SagaOptions#DEFAULT}. */
    public Saga() {
        this(SagaOptions.DEFAULT);
    }

    public Saga(SagaOptions options) {
        this(RunContext.current("new Saga").compensations(), required(options, "options"));
    }

    Saga(Compensations run, SagaOptions options) {
        this.run = run;
        this.options = options;
    }

    /** Adds something that undoes what was done, or is about to be. Its name is its number. */
    public void addCompensation(Runnable body) {
        addCompensation("number " + (added + 1), body);
    }

    /**
     * The same with a name, by which a failure tells of it. One that is added while others run is run with them, and one
     * that is added later at the next {@link #compensate}.
     */
    public void addCompensation(String name, Runnable body) {
        run.checkMayAct("Saga.addCompensation");
        if (added == 0) {
            run.added(this);
        }
        left.push(new Compensation(required(name, "the name of a compensation"), required(body, "a compensation")));
        added++;
    }

    /**
     * Runs the compensations that have not run yet, so that a second call does nothing, or goes on behind a failure at
     * which the first has stopped. A call while another one is under way returns at once; the run is not closed before
     * that one is over.
     *
     * @throws CompensationFailed when some have failed, at the end
     */
    public void compensate() {
        CompensationFailed failed = undo();
        if (failed != null) {
            throw failed;
        }
    }

    /**
     * The same after a failure, which is returned to be thrown on. Compensations that fail do not hide it: their
     * {@link CompensationFailed} is {@link Throwable#addSuppressed suppressed} in it.
     */
    public <E extends Exception> E compensateAfter(E problem) {
        required(problem, "a failure");
        CompensationFailed failed = undo();
        if (failed != null) {
            problem.addSuppressed(failed);
        }
        return problem;
    }

    boolean isEmpty() {
        return left.isEmpty();
    }

    /** Returns how many compensations were added, if none of them was ever asked for. */
    int forgotten() {
        return compensated ? 0 : left.size();
    }

    /** Null when none has failed. */
    @Nullable
    CompensationFailed undo() {
        run.checkMayAct("Saga.compensate");
        compensated = true;
        if (compensating || left.isEmpty()) {
            return null;
        }
        Round round = new Round();
        compensating = true;
        try {
            run.undo(round);
        } finally {
            compensating = false;
        }
        return round.failed.isEmpty() ? null : new CompensationFailed(round.ran, round.failed);
    }

    /** One call of compensate. */
    private final class Round implements Runnable {
        private final List<CompensationFailed.Part> failed = new ArrayList<>();
        private int ran;

        @Override
        public void run() {
            while (!left.isEmpty() && !(options.stopsAtFailure() && !failed.isEmpty())) {
                if (options.parallel()) {
                    tryAll();
                } else {
                    attempt(left.pop());
                }
            }
        }

        private void tryAll() {
            List<Promise<Boolean>> all = new ArrayList<>();
            while (!left.isEmpty()) {
                Compensation next = left.pop();
                all.add(run.async(() -> attempt(next)));
            }
            all.forEach(Promise::get);
        }

        private boolean attempt(Compensation compensation) {
            run.checkMayAct("a compensation"); // code that is unwound must not take that for a failure and go on
            ran++;
            try {
                compensation.body().run();
                return true;
            } catch (Exception problem) {
                failed.add(new CompensationFailed.Part(compensation.name(), problem));
                return false;
            }
        }
    }
}
