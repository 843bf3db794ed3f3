package dev.dormouse.demo.order;

import dev.dormouse.ActivityOptions;
import dev.dormouse.RetryPolicy;
import dev.dormouse.Workflow;

/** Steps that fail and are retried, a person who may or may not answer, and a sleep: in plain Java. */
public class OrderWorkflow implements Order {
    private static final ActivityOptions OPTIONS =
            ActivityOptions.DEFAULT.withRetry(RetryPolicy.DEFAULT.withInitialInterval(Plan.BACK_OFF));

    private final Shop shop = Workflow.activities(Shop.class, OPTIONS);
    private boolean approved;

    @Override
    public long run(Plan plan) {
        shop.reserve(plan);
        long charged = shop.charge(plan);
        Workflow.await(plan.approval(), () -> approved); // whichever comes first: the approval or the deadline
        shop.ship(plan);
        Workflow.sleep(plan.delivery());
        shop.survey(plan);
        return charged;
    }

    @Override
    public void approve() {
        approved = true;
    }
}
