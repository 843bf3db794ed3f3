package dev.dormouse.examples.ticket;

import dev.dormouse.QueryMethod;
import dev.dormouse.SignalMethod;
import dev.dormouse.TimerChange;
import dev.dormouse.UpdateMethod;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import java.time.Instant;
import java.util.List;

/** A customer's problem, to be solved within the promised time. */
@WorkflowInterface
public interface Ticket {
    /** Returns the name of the person who solved it. */
    @WorkflowMethod
    String handle(String ticket, Instant promised);

    @SignalMethod
    void resolve();

    /**
     * Postpones the escalation to a later instant, at most three times. The caller gets an error if that is refused.
     */
    @UpdateMethod
    void postpone(Instant until, String reason);

    @QueryMethod
    List<TimerChange> postponements();
}
