package dev.dormouse.examples.transfer;

import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;

/** A transfer between two accounts in the store's own database. Its workflow id is the id of the request. */
@WorkflowInterface
public interface Transfer {
    /** Returns the new balance of {@code from}. */
    @WorkflowMethod
    int transfer(String from, String to, int cents);
}
