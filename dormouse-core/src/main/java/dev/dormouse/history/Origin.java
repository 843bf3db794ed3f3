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
 * @param chain the first run of those that continued as each other and as this one; null where this is the first
 * @param debounce how long it waits for further starts before it begins
 * @param mail what is applied before its first line, because it was started with it
 */
public record Origin(
        @Nullable Parent parent,
        @Nullable UUID continues,
        @Nullable UUID chain,
        @Nullable Debounce debounce,
        List<Mail> mail) {

    /** From outside. */
    public static final Origin NONE = new Origin(null, null, null, null, List.of());

    /** For a child of this run. */
    public static Origin childOf(Parent parent) {
        return new Origin(parent, null, null, null, List.of());
    }

    /** With what is applied before the first line. */
    public Origin with(List<Mail> items) {
        return new Origin(parent, continues, chain, debounce, items);
    }

    /** With starts that are put together. */
    public Origin with(@Nullable Debounce periods) {
        return new Origin(parent, continues, chain, periods, mail);
    }

    /** It begins when it was not started again for a quiet period, or at a limit after the first start. */
    public record Debounce(Duration quiet, Duration limit) {}

    /** The run that is told of the end, and which of its calls waits for it. */
    public record Parent(String workflowId, UUID runId, int call) {}
}
