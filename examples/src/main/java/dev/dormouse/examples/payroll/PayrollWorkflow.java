package dev.dormouse.examples.payroll;

import dev.dormouse.ActivityOptions;
import dev.dormouse.RetryPolicy;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowInit;
import dev.dormouse.error.ActivityFailedException;
import java.util.ArrayList;
import java.util.List;

/** A payroll that pays one page in each run, so that no history is longer than a page. */
public class PayrollWorkflow implements Payroll {
    private static final int PAGE = 1_000;
    private static final int AT_ONCE = 50;

    private final Bank bank =
            Workflow.activities(Bank.class, ActivityOptions.DEFAULT.withRetry(RetryPolicy.DEFAULT.withMaxAttempts(3)));
    private Progress progress = Progress.NONE;

    @WorkflowInit
    void init(Progress soFar) { // a query of a new run may come before its first line
        progress = soFar;
    }

    @Override
    public Progress pay(Progress soFar) {
        List<Integer> page = bank.employeesAfter(soFar.last(), PAGE);
        if (page.isEmpty()) {
            return soFar;
        }
        List<Boolean> paid = Workflow.parallel(page, AT_ONCE, this::isPaid);
        List<Integer> failed = new ArrayList<>(soFar.failed());
        for (int index = 0; index < page.size(); index++) {
            if (!paid.get(index)) {
                failed.add(page.get(index));
            }
        }
        int done = soFar.paid() + page.size() - (failed.size() - soFar.failed().size());
        return Workflow.continueAsNew(Payroll.class)
                .pay(new Progress(page.get(page.size() - 1), done, List.copyOf(failed)));
    }

    private boolean isPaid(int employee) {
        try {
            bank.pay(employee);
            return true;
        } catch (ActivityFailedException failed) {
            Workflow.logger().warn("Employee {} is not paid.", employee, failed);
            return false;
        }
    }

    @Override
    public Progress progress() {
        return progress;
    }
}
