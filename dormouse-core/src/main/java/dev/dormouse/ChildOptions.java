package dev.dormouse;

import dev.dormouse.history.ParentClose;

/**
 * How a child workflow is started. Immutable; begin with {@link #DEFAULT}.
 *
 * @param parentClose what becomes of the child when its parent closes before it. Default: {@link ParentClose#TERMINATE}
 */
public record ChildOptions(ParentClose parentClose) {

    public static final ChildOptions DEFAULT = new ChildOptions(ParentClose.TERMINATE);

    /** The child is asked to come to an end. */
    public ChildOptions cancelWithParent() {
        return new ChildOptions(ParentClose.CANCEL);
    }

    /** The child goes on. */
    public ChildOptions abandon() {
        return new ChildOptions(ParentClose.ABANDON);
    }
}
