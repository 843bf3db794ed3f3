package dev.dormouse.store.run;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import java.time.Instant;
import java.util.List;

/**
 * The result of a {@link Claim}.
 *
 * @param now the store's clock
 * @param runs the claimed runs, oldest alarm first
 * @param more true if more runs may be due than were claimed
 */
public record Claimed(Instant now, List<Run> runs, boolean more) {

    /**
     * A claimed run.
     *
     * @param row the row after the claim, under the new lease
     * @param alarm the alarm that had passed
     * @param reason the reason of that alarm
     * @param before the status before the claim
     * @param from the id of the node that held the run, empty if none did
     * @param history the whole history up to the {@code nextSeq} of the row, if the store has it at hand; empty if it
     *     must be read
     */
    public record Run(
            RunRow row, Instant alarm, WakeReason reason, RunStatus before, String from, List<HistoryRow> history) {

        /** Creates a claimed run whose history must be read. */
        public Run(RunRow row, Instant alarm, WakeReason reason, RunStatus before, String from) {
            this(row, alarm, reason, before, from, List.of());
        }
    }
}
