package dev.dormouse.server.api;

import dev.dormouse.Pulse;
import dev.dormouse.UpcomingOptions;
import dev.dormouse.server.view.PageView;
import dev.dormouse.server.view.UpcomingView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Pages of what is due next. */
final class Upcoming {
    private final Pulse pulse;

    Upcoming(Pulse pulse) {
        this.pulse = pulse;
    }

    /** Returns a page that is full, the last one, or as full as {@value Reads#MOST} reads make it. */
    PageView<UpcomingView> page(Optional<Pulse.DueKind> kind, int limit, Optional<String> page) {
        Reads reads = new Reads();
        UpcomingOptions options = kind.map(UpcomingOptions.ALL::kinds).orElse(UpcomingOptions.ALL);
        List<UpcomingView> items = new ArrayList<>();
        Optional<String> next = page;
        do {
            UpcomingOptions more = options.limit(limit - items.size());
            Pulse.Upcoming found = pulse.upcoming(next.map(more::page).orElse(more));
            found.items().stream().map(UpcomingView::of).forEach(items::add);
            next = found.next();
        } while (items.size() < limit && next.isPresent() && reads.isOneLeft());
        return new PageView<>(items, next.map(Cursors::encode));
    }
}
