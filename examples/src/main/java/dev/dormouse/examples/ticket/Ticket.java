package dev.dormouse.examples.ticket;

import dev.dormouse.QueryMethod;
import dev.dormouse.SignalMethod;
import dev.dormouse.TimerChange;
import dev.dormouse.UpdateMethod;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import java.time.Instant;
import java.util.List;

/** A customer's problem, to be solved within the time that was promised. */
@WorkflowInterface
public interface Ticket {
    /** Gives who solved it. */
    @WorkflowMethod
    String handle(String ticket, Instant promised);

    @SignalMethod
    void resolve();

    /** Puts the escalation off: to a later instant, at most three times. Whoever asks is told if that is refused. */
    @UpdateMethod
    void postpone(Instant until, String reason);

    @QueryMethod
    List<TimerChange> postponements();
}
