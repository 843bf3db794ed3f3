package dev.dormouse.examples.window;

import dev.dormouse.QueryMethod;
import dev.dormouse.SignalMethod;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import java.util.Set;

/** The processing of many records, a few at a time. */
@WorkflowInterface
public interface Window {
    /** Returns the number of processed records. */
    @WorkflowMethod
    int run(State state);

    /** Reports the end of a child. */
    @SignalMethod
    void completed(int item);

    @QueryMethod
    State state();

    /**
     * The position of the window.
     *
     * @param next the next record
     * @param end the first record that does not exist
     * @param size the number of children at a time
     * @param open the records in work
     * @param done the number of processed records
     */
    record State(int next, int end, int size, Set<Integer> open, int done) {}
}
