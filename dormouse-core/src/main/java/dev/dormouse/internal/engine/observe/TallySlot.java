package dev.dormouse.internal.engine.observe;

import dev.dormouse.store.page.Tally;
import dev.dormouse.store.page.TallyCounts;
import java.time.Duration;
import java.time.Instant;

/**
 * The slot of one length that this node counts into now. It moves on with the store's clock, and not back by a little: what
 * was written of a slot before is replaced as a whole, so a slot that is left is not entered again. Where the clock was set
 * back by more than a slot, what this node had counted in slots that come again is lost. Belongs to one thread.
 */
public final class TallySlot {
    private final Duration length;
    private Instant begin = Instant.MIN;
    private TallyCounts counts = TallyCounts.NONE;

    public TallySlot(Duration length) {
        this.length = length;
    }

    /** Tells whether that was the first of a new slot. */
    public boolean add(Instant now, TallyCounts more) {
        Instant slot = TallySlots.begin(now, length);
        boolean isNew = slot.isAfter(begin) || slot.plus(length).isBefore(begin);
        if (isNew) {
            begin = slot;
            counts = TallyCounts.NONE;
        }
        counts = counts.plus(more);
        return isNew;
    }

    public Tally tally(String nodeId) {
        return new Tally(nodeId, begin, length, counts);
    }
}
