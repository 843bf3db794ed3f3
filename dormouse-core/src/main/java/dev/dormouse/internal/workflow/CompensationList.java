package dev.dormouse.internal.workflow;

import static dev.dormouse.internal.value.Arguments.required;

import dev.dormouse.Compensate;
import dev.dormouse.Promise;
import dev.dormouse.Saga;
import dev.dormouse.SagaOptions;
import dev.dormouse.error.CompensationFailedException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The compensations of one {@link Saga}, or those that a run has itself for its {@link Compensate} methods. Not
 * thread-safe: belongs to the run's coroutines, which execute one at a time.
 */
public final class CompensationList {
    private final Compensations run;
    private final SagaOptions options;
    private final ArrayDeque<Compensation> left = new ArrayDeque<>();
    private int added;
    private boolean compensating;
    private boolean compensated;

    private record Compensation(String name, Runnable body) {}

    CompensationList(Compensations run, SagaOptions options) {
        this.run = run;
        this.options = options;
    }

    /** Adds a compensation, whose name is its number if {@code name} is null. */
    public void add(@Nullable String name, Runnable body) {
        run.checkMayAct("Saga.addCompensation");
        required(body, "a compensation");
        if (added == 0) {
            run.added(this);
        }
        added++;
        left.push(new Compensation(name == null ? "number " + added : name, body));
    }

    boolean isEmpty() {
        return left.isEmpty();
    }

    /** Returns the number of compensations that were added, if the code never called compensate; otherwise 0. */
    int forgotten() {
        return compensated ? 0 : left.size();
    }

    /** Runs the compensations that have not run yet. Returns null if none failed. */
    @Nullable
    public CompensationFailedException undo() {
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
        return round.failed.isEmpty() ? null : new CompensationFailedException(round.ran, round.failed);
    }

    /** One call of compensate. */
    private final class Round implements Runnable {
        private final List<Map.Entry<String, Exception>> failed = new ArrayList<>();
        private int ran;

        @Override
        public void run() {
            while (!left.isEmpty() && !(options.stopAtFailure() && !failed.isEmpty())) {
                if (options.parallelCompensation()) {
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
            run.checkMayAct("a compensation"); // code that is being unwound must not continue here
            ran++;
            try {
                compensation.body().run();
                return true;
            } catch (Exception problem) {
                failed.add(Map.entry(compensation.name(), problem));
                return false;
            }
        }
    }
}
