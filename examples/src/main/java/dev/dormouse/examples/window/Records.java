package dev.dormouse.examples.window;

import dev.dormouse.ActivityInterface;

/** The work on a record. */
@ActivityInterface
public interface Records {
    void process(int item);
}
