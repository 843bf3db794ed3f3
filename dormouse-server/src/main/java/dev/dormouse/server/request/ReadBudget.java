package dev.dormouse.server.request;

/**
 * Bounds how often a list asks the store for what fills its page. Each read looks at a bounded number of rows. A number of
 * reads, unlike a time, lets the same request have the same answer however busy the server is.
 */
public final class ReadBudget {
    public static final int MOST = 20;

    private int done;

    /** Counts a read, and returns true if another one may follow. */
    public boolean isOneLeft() {
        return ++done < MOST;
    }
}
