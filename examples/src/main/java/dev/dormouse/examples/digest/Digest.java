package dev.dormouse.examples.digest;

import dev.dormouse.SignalMethod;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;

/** The mails about comments for one reader. */
@WorkflowInterface
public interface Digest {
    /** Runs until it is cancelled. */
    @WorkflowMethod
    void run(String reader);

    @SignalMethod
    void comment(String text);
}
