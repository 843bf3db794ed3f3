package dev.dormouse.internal.history;

/** The effect on a child when its parent closes first. The order is stored. */
public enum ParentClose {
    /** The child is closed immediately. */
    TERMINATE,
    /** The child is asked to end. */
    CANCEL,
    /** The child continues. */
    ABANDON;

    private static final ParentClose[] VALUES = values();

    static ParentClose of(int code) {
        return VALUES[code];
    }
}
