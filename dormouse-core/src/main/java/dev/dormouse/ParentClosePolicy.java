package dev.dormouse;

/** The treatment of a child workflow whose parent closes first. */
public enum ParentClosePolicy {
    /** Terminates the child. The default. */
    TERMINATE,
    /** Cancels the child, so that it can clean up. */
    CANCEL,
    /** Lets the child continue. */
    ABANDON
}
