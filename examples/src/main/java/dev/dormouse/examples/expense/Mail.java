package dev.dormouse.examples.expense;

import dev.dormouse.ActivityInterface;

/** The mails to approvers. */
@ActivityInterface(name = "expense.Mail")
public interface Mail {
    void ask(String approver, String request);

    void remind(String approver, String request, int number);
}
