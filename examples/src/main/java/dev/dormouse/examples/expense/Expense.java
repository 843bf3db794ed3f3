package dev.dormouse.examples.expense;

import dev.dormouse.UpdateMethod;
import dev.dormouse.UpdateValidatorMethod;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import java.time.Duration;

/** An expense that a person has to approve. */
@WorkflowInterface
public interface Expense {
    /** Returns {@code APPROVED by …}, {@code REJECTED by …} or {@code EXPIRED}. */
    @WorkflowMethod
    String submit(String employee, int euros, Duration patience);

    /** Decides, and returns the decision. Only the first decision counts. */
    @UpdateMethod
    String decide(String approver, boolean approved);

    @UpdateValidatorMethod(update = "decide")
    void checkDecision(String approver, boolean approved);
}
