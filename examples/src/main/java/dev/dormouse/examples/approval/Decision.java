package dev.dormouse.examples.approval;

/** The state of a request. */
public enum Decision {
    PENDING,
    APPROVED,
    REJECTED
}
