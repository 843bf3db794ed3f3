package dev.dormouse.examples.billing;

import dev.dormouse.ActivityOptions;
import dev.dormouse.RetryPolicy;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowInit;
import dev.dormouse.error.ActivityFailedException;
import java.time.Duration;
import java.time.Instant;

/**
 * A membership that is charged at fixed instants, so that delays do not add up. A charge that keeps failing for a week
 * ends the membership.
 */
public class MembershipWorkflow implements Membership {
    private static final int CHARGES_PER_RUN = 12;

    private final Bank bank = Workflow.activities(
            Bank.class,
            ActivityOptions.DEFAULT.withRetry(
                    RetryPolicy.DEFAULT.withMaxInterval(Duration.ofHours(12)).withMaxDuration(Duration.ofDays(7))));
    private int price;
    private int paid;
    private boolean cancelled;

    @WorkflowInit
    void init(State state) { // a change of the price may arrive before the first line of run
        price = state.price();
        paid = state.paid();
    }

    @Override
    public int run(State state) {
        Instant next = state.nextCharge();
        for (int charge = 0; charge < CHARGES_PER_RUN; charge++) {
            if (Workflow.await(next, () -> cancelled) || cancelled) { // also if the charge is overdue
                return paid;
            }
            try {
                bank.charge(state.customer(), price);
            } catch (ActivityFailedException failed) {
                bank.suspend(state.customer(), String.valueOf(failed.failure().getMessage()));
                return paid;
            }
            paid += price;
            next = next.plus(state.period());
        }
        if (cancelled) { // during the last charge: the next run would not know
            return paid;
        }
        return Workflow.continueAsNew(Membership.class)
                .run(new State(state.customer(), price, state.period(), next, paid));
    }

    @Override
    public int changePrice(int cents) {
        int old = price;
        price = cents;
        return old;
    }

    @Override
    public void cancel() {
        cancelled = true;
    }

    @Override
    public int paid() {
        return paid;
    }
}
