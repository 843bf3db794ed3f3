package dev.dormouse.demo.order;

import dev.dormouse.Activity;
import dev.dormouse.ActivityInfo;
import java.util.function.LongSupplier;

/** A shop that works as long as the plan says, and records its steps in the step log. */
public final class SimulatedShop implements Shop {
    private final StepLog stepLog;

    public SimulatedShop(StepLog stepLog) {
        this.stepLog = stepLog;
    }

    @Override
    public void reserve(Plan plan) {
        execute(plan, () -> 0);
    }

    @Override
    public long charge(Plan plan) {
        return execute(plan, () -> {
            if (Activity.info().attempt() <= plan.refusals()) {
                throw new IllegalStateException("The bank does not answer.");
            }
            return plan.cents();
        });
    }

    @Override
    public void ship(Plan plan) {
        execute(plan, () -> 0);
    }

    @Override
    public void survey(Plan plan) {
        execute(plan, () -> 0);
    }

    private long execute(Plan plan, LongSupplier work) {
        ActivityInfo info = Activity.info();
        note(info, StepLog.What.BEGAN);
        StepLog.What end = StepLog.What.FAILED;
        try {
            Thread.sleep(plan.work().toMillis()); // the shop's work
            long result = work.getAsLong();
            end = StepLog.What.DONE;
            return result;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted", e);
        } finally {
            note(info, end);
        }
    }

    private void note(ActivityInfo info, StepLog.What what) {
        if (OrderIds.isOrder(info.workflowId())) {
            stepLog.add(OrderIds.numberOf(info.workflowId()), info.step(), what);
        }
    }
}
