package dev.dormouse.examples.polling;

import dev.dormouse.ActivityInterface;

/** The other system. */
@ActivityInterface
public interface Warehouse {
    /** Begins an export, and returns the name of its job. */
    String begin(String table);

    /** Waits for the end of a job, and returns the address of its file. */
    String awaitFile(String job);
}
