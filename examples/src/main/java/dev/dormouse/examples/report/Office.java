package dev.dormouse.examples.report;

import dev.dormouse.ActivityInterface;

/** Where reports are written. */
@ActivityInterface
public interface Office {
    /** Takes its time. */
    String write(String topic);

    void remind(String topic);
}
