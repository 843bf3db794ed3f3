package dev.dormouse;

import dev.dormouse.history.ParentClose;
import dev.dormouse.store.Queued;
import java.util.Optional;

/**
 * How a child workflow is started. Immutable; begin with {@link #DEFAULT}.
 *
 * @param parentClose what becomes of the child when its parent closes before it. Default: {@link ParentClose#TERMINATE}
 * @param queued its place in a queue, see {@link #queue}. Default: in none
 */
public record ChildOptions(ParentClose parentClose, Optional<Queued> queued) {

    public static final ChildOptions DEFAULT = new ChildOptions(ParentClose.TERMINATE, Optional.empty());

    /** The child is asked to come to an end. */
    public ChildOptions cancelWithParent() {
        return new ChildOptions(ParentClose.CANCEL, queued);
    }

    /** The child goes on. */
    public ChildOptions abandon() {
        return new ChildOptions(ParentClose.ABANDON, queued);
    }

    /** The child waits in this queue until the queue's limits let it execute, see {@link DormouseBuilder#queue}. */
    public ChildOptions queue(String name) {
        return new ChildOptions(parentClose, QueuePlace.in(queued, name));
    }

    /** From 0, the default, to 9: within a queue higher ones go first. */
    public ChildOptions priority(int value) {
        return new ChildOptions(parentClose, QueuePlace.priority(queued, value));
    }

    /** Rates of the queue that are kept for each key are kept for this one. */
    public ChildOptions rateKey(String key) {
        return new ChildOptions(parentClose, QueuePlace.rateKey(queued, key));
    }
}
