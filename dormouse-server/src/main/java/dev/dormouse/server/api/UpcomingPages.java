package dev.dormouse.server.api;

import dev.dormouse.inspect.Statistics;
import dev.dormouse.inspect.UpcomingOptions;
import dev.dormouse.server.request.PageCursors;
import dev.dormouse.server.request.ReadBudget;
import dev.dormouse.server.view.PageView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/** Pages of what is due next. */
final class UpcomingPages {
    private final Statistics pulse;

    UpcomingPages(Statistics pulse) {
        this.pulse = pulse;
    }

    /** Returns a page. It is full, or the last one, or has what {@value ReadBudget#MAX} reads found. */
    PageView<UpcomingView> page(Optional<Statistics.DueKind> kind, int limit, Optional<String> page) {
        ReadBudget reads = new ReadBudget();
        UpcomingOptions options = kind.map(UpcomingOptions.ALL::withKinds).orElse(UpcomingOptions.ALL);
        List<UpcomingView> items = new ArrayList<>();
        Optional<String> next = page;
        do {
            UpcomingOptions more = options.withLimit(limit - items.size());
            Statistics.Upcoming found = pulse.upcoming(next.map(more::withPage).orElse(more));
            found.items().stream().map(UpcomingView::of).forEach(items::add);
            next = found.next();
        } while (items.size() < limit && next.isPresent() && reads.isOneLeft());
        return new PageView<>(items, next.map(PageCursors::encode));
    }

    /**
     * Something that is due at an instant.
     *
     * @param kind timer, sql, sleep, retry, timeout, start, pause or schedule
     * @param id the id of the timer or schedule, otherwise the workflow id
     * @param workflowId empty for a timer that was set in SQL, as are runId and type
     * @param name the timer's handler or its SQL, otherwise the type
     */
    record UpcomingView(
            String kind,
            String id,
            Optional<String> workflowId,
            Optional<UUID> runId,
            Optional<String> type,
            String name,
            Instant fireAt,
            boolean overdue) {

        static UpcomingView of(Statistics.Due due) {
            return new UpcomingView(
                    due.kind().name().toLowerCase(Locale.ROOT),
                    due.id(),
                    due.run().map(Statistics.DueRun::workflowId),
                    due.run().map(Statistics.DueRun::runId),
                    due.run().map(Statistics.DueRun::type),
                    due.name(),
                    due.fireAt(),
                    due.overdue());
        }
    }
}
