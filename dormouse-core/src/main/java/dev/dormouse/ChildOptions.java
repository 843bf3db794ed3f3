package dev.dormouse;

import static dev.dormouse.internal.value.Arguments.required;

import dev.dormouse.internal.history.ParentClose;
import dev.dormouse.internal.value.QueuePlace;
import dev.dormouse.store.run.Queued;
import java.util.Optional;

/**
 * Options for the start of a child workflow. Immutable; start with {@link #DEFAULT}.
 *
 * @param parentClose the treatment of the child if its parent closes first. Default: {@link ParentClose#TERMINATE}
 * @param queued the place in a queue, see {@link #queue}. Default: no queue
 */
@SuppressWarnings("exports") // ParentClose is set by the methods below
public record ChildOptions(ParentClose parentClose, Optional<Queued> queued) {

    /** Options by which the child is terminated if its parent closes first, without a queue. */
    public static final ChildOptions DEFAULT = new ChildOptions(ParentClose.TERMINATE, Optional.empty());

    public ChildOptions {
        required(parentClose, "a ParentClose");
        required(queued, "a place in a queue, or Optional.empty()");
    }

    /** Returns a copy by which the child is cancelled, and can clean up, if its parent closes first. */
    public ChildOptions cancelWithParent() {
        return new ChildOptions(ParentClose.CANCEL, queued);
    }

    /** Returns a copy by which the child continues if its parent closes first. */
    public ChildOptions abandon() {
        return new ChildOptions(ParentClose.ABANDON, queued);
    }

    /**
     * Returns a copy that puts the child into a queue. It waits there until the queue's limits allow it to execute; see
     * {@link DormouseBuilder#queue}.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code name} is not a valid name of a queue
     */
    public ChildOptions queue(String name) {
        return new ChildOptions(parentClose, QueuePlace.in(queued, name));
    }

    /**
     * Returns a copy with a priority within the queue, from 0 to 9. Higher priorities go first. Default: 0.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code value} is out of range, or no queue is
     *     set
     */
    public ChildOptions priority(int value) {
        return new ChildOptions(parentClose, QueuePlace.priority(queued, value));
    }

    /**
     * Returns a copy with the key for per-key rate limits ({@link QueueOptions#ratePerKey}): runs with the same key
     * share one limit. Default: an empty key.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code key} is invalid, or no queue is set
     */
    public ChildOptions rateKey(String key) {
        return new ChildOptions(parentClose, QueuePlace.rateKey(queued, key));
    }
}
