package dev.dormouse.server.view;

import dev.dormouse.Pulse;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/**
 * Something that happens at an instant, whatever it is.
 *
 * @param kind timer, sql, sleep, retry, timeout, start, pause or schedule
 * @param id of the timer or schedule; otherwise the workflow id
 * @param workflowId empty for a timer that was set in SQL, as are runId and type
 * @param name of the timer's handler, or what it executes; otherwise the type
 */
public record UpcomingView(
        String kind,
        String id,
        Optional<String> workflowId,
        Optional<UUID> runId,
        Optional<String> type,
        String name,
        Instant fireAt,
        boolean overdue) {

    public static UpcomingView of(Pulse.Due due) {
        return new UpcomingView(
                due.kind().name().toLowerCase(Locale.ROOT),
                due.id(),
                due.run().map(Pulse.DueRun::workflowId),
                due.run().map(Pulse.DueRun::runId),
                due.run().map(Pulse.DueRun::type),
                due.name(),
                due.fireAt(),
                due.overdue());
    }
}
