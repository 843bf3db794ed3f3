package dev.dormouse.examples.report;

import dev.dormouse.ActivityInterface;

/** The office that writes reports. */
@ActivityInterface
public interface Office {
    /** Writes a report, which takes a while. */
    String write(String topic);

    void remind(String topic);
}
