package dev.dormouse.history;

import dev.dormouse.store.Mail;
import dev.dormouse.store.Queued;
import java.time.Duration;
import java.time.Instant;
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
 * @param reset the run whose history it begins with; null where it has begun with a history of its own
 * @param queued its place in a queue; null where it is in none
 */
public record Origin(
        @Nullable Parent parent,
        @Nullable UUID continues,
        @Nullable UUID chain,
        @Nullable Debounce debounce,
        List<Mail> mail,
        @Nullable Reset reset,
        @Nullable Queued queued) {

    /** With a history of its own, in no queue. */
    public Origin(
            @Nullable Parent parent,
            @Nullable UUID continues,
            @Nullable UUID chain,
            @Nullable Debounce debounce,
            List<Mail> mail) {
        this(parent, continues, chain, debounce, mail, null, null);
    }

    /** From outside. */
    public static final Origin NONE = new Origin(null, null, null, null, List.of());

    /** For a child of this run. */
    public static Origin childOf(Parent parent) {
        return new Origin(parent, null, null, null, List.of());
    }

    /** With what is applied before the first line. */
    public Origin with(List<Mail> items) {
        return new Origin(parent, continues, chain, debounce, items, reset, queued);
    }

    /** With starts that are put together. */
    public Origin with(@Nullable Debounce periods) {
        return new Origin(parent, continues, chain, periods, mail, reset, queued);
    }

    /** With a place in a queue. */
    public Origin with(@Nullable Queued place) {
        return new Origin(parent, continues, chain, debounce, mail, reset, place);
    }

    /** For a run that begins with the history of this one. Of requests to cancel, those for this one are not meant for it. */
    Origin with(Reset point) {
        return new Origin(parent, continues, null, debounce, mail, point, queued);
    }

    /** It begins when it was not started again for a quiet period, or at a limit after the first start. */
    public record Debounce(Duration quiet, Duration limit) {}

    /** The run that is told of the end, and which of its calls waits for it. */
    public record Parent(String workflowId, UUID runId, int call) {}

    /**
     * Which part of which run's history a run begins with.
     *
     * @param from the run that has it too
     * @param identity the first of the runs that were reset as each other and as this one: what code makes of the run it
     *     is in stays the same by it
     * @param events how many events they share
     * @param at when the run was reset
     * @param mail the position of the last item of the inbox that counts as read; what came after it is read again
     * @param children those that were asked for in the shared part
     */
    public record Reset(UUID from, UUID identity, int events, Instant at, long mail, List<Child> children) {}

    /** A child, by the call that asked for it and the run that is told of its end. */
    public record Child(int call, UUID askedBy) {}
}
