package dev.dormouse.examples.webhook;

import dev.dormouse.ActivityInterface;
import java.net.URI;

/** A sender of events to receivers. */
@ActivityInterface
public interface Sender {
    void post(URI receiver, String event);
}
