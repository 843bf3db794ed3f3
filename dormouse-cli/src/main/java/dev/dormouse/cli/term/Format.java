package dev.dormouse.cli.term;

/** What {@code -o} chooses. */
public enum Format {
    TABLE,
    JSON,
    IDS
}
