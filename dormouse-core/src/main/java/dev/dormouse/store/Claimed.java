package dev.dormouse.store;

import java.time.Instant;
import java.util.List;

/**
 * What a claim took.
 *
 * @param now the store's clock
 * @param runs the claimed runs, oldest alarm first
 * @param more whether there may be more runs due than were claimed
 */
public record Claimed(Instant now, List<Run> runs, boolean more) {

    /**
     * A claimed run.
     *
     * @param row as it is now, under the new lease
     * @param alarm the alarm that had passed
     * @param reason what that alarm stood for
     * @param before the status the run was claimed from
     * @param from the node that held it, empty where none did
     */
    public record Run(RunRow row, Instant alarm, WakeReason reason, RunStatus before, String from) {}
}
