package dev.dormouse.examples.approval;

/** What became of a request so far. */
public enum Decision {
    PENDING,
    APPROVED,
    REJECTED
}
