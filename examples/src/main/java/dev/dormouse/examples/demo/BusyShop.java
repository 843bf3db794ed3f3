package dev.dormouse.examples.demo;

import dev.dormouse.Activity;
import dev.dormouse.ActivityInfo;
import java.util.function.LongSupplier;

/** Works for as long as the plan says, and writes into the ledger what it does. */
final class BusyShop implements Shop {
    private final Ledger ledger;

    BusyShop(Ledger ledger) {
        this.ledger = ledger;
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
        note(info, Ledger.What.BEGAN);
        Ledger.What end = Ledger.What.FAILED;
        try {
            Thread.sleep(plan.work().toMillis()); // the shop's work
            long result = work.getAsLong();
            end = Ledger.What.DONE;
            return result;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted", e);
        } finally {
            note(info, end);
        }
    }

    private void note(ActivityInfo info, Ledger.What what) {
        if (Orders.isOrder(info.workflowId())) {
            ledger.add(Orders.numberOf(info.workflowId()), info.step(), what);
        }
    }
}
