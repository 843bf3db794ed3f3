package dev.dormouse.history;

/** What becomes of a child when its parent closes before it. The order is stored. */
public enum ParentClose {
    /** It is closed at once. */
    TERMINATE,
    /** It is asked to come to an end. */
    CANCEL,
    /** It goes on. */
    ABANDON;

    private static final ParentClose[] VALUES = values();

    static ParentClose of(int code) {
        return VALUES[code];
    }
}
