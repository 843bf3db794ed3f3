package dev.dormouse.server.view;

import dev.dormouse.Pulse;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;

/**
 * Something that happens at an instant, whatever it is.
 *
 * @param kind timer, sleep, retry, timeout, start, pause or schedule
 * @param id of the timer or schedule; otherwise the workflow id
 * @param name of the timer's handler; otherwise the type
 */
public record UpcomingView(
        String kind,
        String id,
        String workflowId,
        UUID runId,
        String type,
        String name,
        Instant fireAt,
        boolean overdue) {

    public static UpcomingView of(Pulse.Due due) {
        return new UpcomingView(
                due.kind().name().toLowerCase(Locale.ROOT),
                due.id(),
                due.workflowId(),
                due.runId(),
                due.type(),
                due.name(),
                due.fireAt(),
                due.overdue());
    }
}
