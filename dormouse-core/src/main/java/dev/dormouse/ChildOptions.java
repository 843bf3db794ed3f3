package dev.dormouse;

import static dev.dormouse.internal.value.Arguments.required;

import dev.dormouse.internal.value.QueuePlace;
import dev.dormouse.store.run.Queued;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Options for the start of a child workflow. Immutable; start with {@link #DEFAULT}.
 */
public final class ChildOptions {
    private final ParentClosePolicy parentClose;
    private final Optional<Queued> queued;

    /** Options by which the child is terminated if its parent closes first, without a queue. */
    public static final ChildOptions DEFAULT = new ChildOptions(ParentClosePolicy.TERMINATE, Optional.empty());

    private ChildOptions(ParentClosePolicy parentClose, Optional<Queued> queued) {
        required(parentClose, "a ParentClosePolicy");
        this.parentClose = parentClose;
        this.queued = queued;
    }

    /**
     * Returns a copy with another treatment of the child if its parent closes first. Default:
     * {@link ParentClosePolicy#TERMINATE}.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code policy} is null
     */
    public ChildOptions withParentClosePolicy(ParentClosePolicy policy) {
        return new ChildOptions(policy, queued);
    }

    /**
     * Returns a copy that puts the child into a queue. It waits there until the queue's limits allow it to execute; see
     * {@link DormouseBuilder#queue}. Default: no queue.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code name} is not a valid name of a queue
     */
    public ChildOptions withQueue(String name) {
        return new ChildOptions(parentClose, QueuePlace.in(queued, name));
    }

    /**
     * Returns a copy with a priority within the queue, from 0 to 9. Higher priorities go first. Default: 0.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code value} is out of range, or no queue is
     *     set
     */
    public ChildOptions withPriority(int value) {
        return new ChildOptions(parentClose, QueuePlace.priority(queued, value));
    }

    /**
     * Returns a copy with the key for per-key rate limits ({@link QueueOptions#withRatePerKey}): runs with the same key
     * share one limit. Default: an empty key.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code key} is invalid, or no queue is set
     */
    public ChildOptions withRateKey(String key) {
        return new ChildOptions(parentClose, QueuePlace.rateKey(queued, key));
    }

    /** Returns the name of the queue; empty if there is none. */
    public Optional<String> queue() {
        return queued.map(Queued::queue);
    }

    /** Returns the priority within the queue, from 0 to 9. Default: 0. */
    public int priority() {
        return queued.map(Queued::priority).orElse(0);
    }

    /** Returns the key for per-key rate limits. Default: an empty key. */
    public String rateKey() {
        return queued.map(Queued::key).orElse("");
    }

    /** Returns the treatment of the child if its parent closes first. Default: {@link ParentClosePolicy#TERMINATE}. */
    public ParentClosePolicy parentClosePolicy() {
        return parentClose;
    }

    private List<Object> values() {
        return List.of(parentClose, queued);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ChildOptions that && values().equals(that.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "ChildOptions" + values();
    }
}
