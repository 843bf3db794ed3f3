package dev.dormouse.server.request;

/**
 * A limit on how often a list reads from the store to fill its page. Each read examines a bounded number of rows.
 * Counting reads instead of time gives the same response however busy the server is.
 */
public final class ReadBudget {
    public static final int MAX = 20;

    private int done;

    /** Counts a read, and returns true if another one may follow. */
    public boolean isOneLeft() {
        return ++done < MAX;
    }
}
