package dev.dormouse.server.view;

import dev.dormouse.HistoryEvent;
import dev.dormouse.history.Event;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An event of a history.
 *
 * @param detail all that the event holds, by name
 */
public record EventView(int seq, Instant at, String kind, String summary, Map<String, @Nullable Object> detail) {

    public static EventView of(HistoryEvent line, Event event) {
        return new EventView(line.seq(), line.at(), line.kind(), line.summary(), Detail.of((Record) event));
    }
}
