package dev.dormouse;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a schedule stands, as it is handed from run to run and shown.
 *
 * @param note why it is paused, empty where it is not
 * @param last up to where its instants have been dealt with
 * @param from what would have started up to here is left out: it was paused, or was another schedule
 * @param running the workflow id of what it has started last, null before the first
 * @param buffered the instant whose run waits for the end of that one
 */
record ScheduleState(
        ScheduleSpec spec,
        boolean paused,
        String note,
        Instant last,
        Instant from,
        List<ScheduleInfo.Past> past,
        @Nullable String running,
        @Nullable Instant buffered) {

    static ScheduleState of(ScheduleSpec spec, Instant now) {
        return new ScheduleState(spec, false, "", now, now, List.of(), null, null);
    }
}
