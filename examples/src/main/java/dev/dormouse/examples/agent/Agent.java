package dev.dormouse.examples.agent;

import dev.dormouse.QueryMethod;
import dev.dormouse.UpdateMethod;
import dev.dormouse.UpdateValidatorMethod;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import java.util.List;

/** An agent that works on one task. */
@WorkflowInterface
public interface Agent {
    /** Returns the answer of the model. */
    @WorkflowMethod
    String solve(String task);

    /** Allows or forbids the tool call that waits. */
    @UpdateMethod
    void decide(boolean allowed);

    @UpdateValidatorMethod(update = "decide")
    void checkDecision(boolean allowed);

    /** Returns the conversation so far. */
    @QueryMethod
    List<String> conversation();

    /** Returns the tool call that waits for a person; empty if there is none. */
    @QueryMethod
    String waitingCall();
}
