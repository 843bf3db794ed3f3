package dev.dormouse.examples.cron;

import dev.dormouse.ActivityInterface;
import java.time.Instant;

/** The files. */
@ActivityInterface
public interface Disk {
    /** Returns the number of deleted files. */
    int deleteFilesBefore(String folder, Instant instant);
}
