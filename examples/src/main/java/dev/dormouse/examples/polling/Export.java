package dev.dormouse.examples.polling;

import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;

/** An export that another system prepares. */
@WorkflowInterface
public interface Export {
    /** Returns the address of the file. */
    @WorkflowMethod
    String export(String table);
}
