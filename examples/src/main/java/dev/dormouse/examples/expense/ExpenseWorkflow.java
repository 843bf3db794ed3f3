package dev.dormouse.examples.expense;

import dev.dormouse.Workflow;
import java.time.Duration;
import java.util.List;

/** An expense report: asks one approver after the other. Each gets two reminders before the next one is asked. */
public class ExpenseWorkflow implements Expense {
    private static final List<String> APPROVERS = List.of("lead", "director");
    private static final int REMINDERS = 2;

    private final Mail mail = Workflow.activities(Mail.class);
    private String decision = "";

    @Override
    public String submit(String employee, int euros, Duration patience) {
        String request = euros + " euros for " + employee;
        for (String approver : APPROVERS) {
            mail.ask(approver, request);
            for (int reminder = 1; reminder <= REMINDERS; reminder++) {
                if (isDecidedWithin(patience)) {
                    return decision;
                }
                mail.remind(approver, request, reminder);
            }
            if (isDecidedWithin(patience)) {
                return decision;
            }
        }
        return "EXPIRED";
    }

    private boolean isDecidedWithin(Duration patience) {
        return Workflow.await(patience, () -> !decision.isEmpty());
    }

    @Override
    public void checkDecision(String approver, boolean approved) {
        if (!decision.isEmpty()) {
            throw new IllegalStateException("The expense is already " + decision + ".");
        }
    }

    @Override
    public String decide(String approver, boolean approved) {
        decision = (approved ? "APPROVED" : "REJECTED") + " by " + approver;
        return decision;
    }
}
