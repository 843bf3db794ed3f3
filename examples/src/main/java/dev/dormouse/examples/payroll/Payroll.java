package dev.dormouse.examples.payroll;

import dev.dormouse.QueryMethod;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import java.util.List;

/** The payment of all employees. */
@WorkflowInterface
public interface Payroll {
    /** Pays everybody after {@code progress.last()}, and returns the total. */
    @WorkflowMethod
    Progress pay(Progress progress);

    /** Returns the progress up to the last complete page. */
    @QueryMethod
    Progress progress();

    /**
     * The work that is done.
     *
     * @param last the last employee that was paid or failed, in the order of their numbers
     * @param failed the employees that could not be paid
     */
    record Progress(int last, int paid, List<Integer> failed) {
        public static final Progress NONE = new Progress(0, 0, List.of());
    }
}
