package dev.dormouse.examples.ticket;

import dev.dormouse.TimerChange;
import dev.dormouse.TimerPolicy;
import dev.dormouse.UpdatableTimer;
import dev.dormouse.Workflow;
import java.time.Instant;
import java.util.List;

/** If the ticket is not solved in time, the lead is paged and owns it from then on. */
public class TicketWorkflow implements Ticket {
    private static final TimerPolicy POLICY =
            TimerPolicy.ANY.withOnlyLater().withOnlyFuture().withMaxChanges(3);

    private final UpdatableTimer escalation = Workflow.newUpdatableTimer("escalation", POLICY);
    private final Pager pager = Workflow.activities(Pager.class);
    private boolean resolved;

    @Override
    public String handle(String ticket, Instant promised) {
        if (escalation.await(promised, () -> resolved)) {
            return "support";
        }
        pager.page("the lead", ticket);
        Workflow.await(() -> resolved);
        return "the lead";
    }

    @Override
    public void resolve() {
        resolved = true;
    }

    @Override
    public void postpone(Instant until, String reason) {
        escalation.updateWakeUpTime(until, reason);
    }

    @Override
    public List<TimerChange> postponements() {
        return escalation.changes();
    }
}
