package dev.dormouse.internal.engine.observe;

import dev.dormouse.store.page.Tally;
import dev.dormouse.store.page.TallyCounts;
import java.time.Duration;
import java.time.Instant;

/**
 * The slot of one length that this node counts into now. It follows the store's clock forward, and does not follow
 * small steps back: a stored slot is replaced as a whole, so a slot that was left must not be entered again. If the
 * clock was set back by more than a slot, the earlier counts of slots that are repeated are lost. Confined to one
 * thread.
 */
public final class TallySlot {
    private final Duration length;
    private Instant begin = Instant.MIN;
    private TallyCounts counts = TallyCounts.NONE;

    public TallySlot(Duration length) {
        this.length = length;
    }

    /** Adds counts to the slot of {@code now}. Returns true if that is a new slot. */
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
