package dev.dormouse;

import static dev.dormouse.internal.value.Arguments.required;

import dev.dormouse.error.ActivityFailedException;
import dev.dormouse.error.CompensationFailedException;
import dev.dormouse.internal.workflow.CompensationList;
import dev.dormouse.internal.workflow.RunContext;

/**
 * The compensations of a workflow: the actions that undo its completed work if it cannot continue. Not thread-safe:
 * only the coroutines of the run that created it may use it.
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
 * <p>A cancellation is a {@link dev.dormouse.error.CancelledException} and not an {@link ActivityFailedException}: code that
 * catches only the latter undoes nothing when its run is cancelled. Dormouse logs a warning about a run that ends like
 * this.
 *
 * <p>By default compensations run one after the other, the last added first, and all of them run, even if one fails;
 * {@link SagaOptions} changes this. Compensations are workflow code: their steps are durable, and after a crash the run
 * continues with the remaining ones. They run in a detached scope, so that a cancelled run can still undo its work.
 * {@link Compensate} does all this for the calls of an activity interface. Use only one of the two for an activity, or
 * it is undone twice.
 */
public final class Saga {
    private final CompensationList compensations;

    /**
     * Creates a saga with {@link SagaOptions#DEFAULT}.
     *
     * @throws dev.dormouse.error.DormouseException OUTSIDE_WORKFLOW outside of workflow code
     */
    public Saga() {
        this(SagaOptions.DEFAULT);
    }

    /**
     * Creates a saga with the given options.
     *
     * @throws dev.dormouse.error.DormouseException OUTSIDE_WORKFLOW outside of workflow code; BAD_ARGUMENT if
     *     {@code options} is null
     */
    public Saga(SagaOptions options) {
        compensations = RunContext.current("new Saga").compensations().newList(required(options, "options"));
    }

    /**
     * Adds a compensation for work that is done or about to be done. Its name is its number.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code body} is null; OUTSIDE_WORKFLOW or
     *     NOT_ALLOWED_HERE if the caller is not workflow code that may act
     */
    public void addCompensation(Runnable body) {
        compensations.add(null, body);
    }

    /**
     * Adds a named compensation for work that is done or about to be done. The name appears in messages about failures.
     * A compensation that is added while others run is run with them; one that is added later runs with the next
     * {@link #compensate}.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if an argument is null; OUTSIDE_WORKFLOW or
     *     NOT_ALLOWED_HERE if the caller is not workflow code that may act
     */
    public void addCompensation(String name, Runnable body) {
        compensations.add(required(name, "the name of a compensation"), body);
    }

    /**
     * Runs the compensations that have not run yet. A second call does nothing, or continues after the failure at which
     * the first call stopped. If another call is in progress, returns at once; the run does not close before that other
     * call ends.
     *
     * @throws CompensationFailedException if some compensations failed; thrown at the end
     */
    public void compensate() {
        CompensationFailedException failed = compensations.undo();
        if (failed != null) {
            throw failed;
        }
    }

    /**
     * Runs the compensations that have not run yet, and returns {@code problem} for the caller to throw. Failed
     * compensations do not hide it: their {@link CompensationFailedException} is {@link Throwable#addSuppressed suppressed} in
     * it.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code problem} is null
     */
    public <E extends Exception> E compensateAfter(E problem) {
        required(problem, "a failure");
        CompensationFailedException failed = compensations.undo();
        if (failed != null) {
            problem.addSuppressed(failed);
        }
        return problem;
    }
}
