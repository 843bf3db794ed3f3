package dev.dormouse.history;

import dev.dormouse.store.Mail;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Where a run comes from, if it was not just started from outside.
 *
 * @param parent whose child it is
 * @param continues the run that continued as this one
 * @param debounce how long it waits for further starts before it begins
 * @param mail what is applied before its first line, because it was started with it
 */
public record Origin(
        @Nullable Parent parent,
        @Nullable UUID continues,
        @Nullable Debounce debounce,
        List<Mail> mail) {

    /** From outside. */
    public static final Origin NONE = new Origin(null, null, null, List.of());

    /** It begins when it was not started again for a quiet period, or at a limit after the first start. */
    public record Debounce(Duration quiet, Duration limit) {}

    /** The run that is told of the end, and which of its calls waits for it. */
    public record Parent(String workflowId, UUID runId, int call) {}
}
