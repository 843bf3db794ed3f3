package dev.dormouse.store.run;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of an outbox, oldest items first.
 *
 * @param epoch the store's {@link Swept#epoch}, read by the same statement as the page
 * @param now the store's clock when the page was read
 * @param next the start of the next page, to be passed back unchanged; null for the last page
 */
public record OutboxPage(
        String epoch,
        Instant now,
        List<Outgoing> items,
        @Nullable String next) {}
