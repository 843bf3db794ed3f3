package dev.dormouse.examples.ratelimit;

import dev.dormouse.ActivityInterface;

/** The service. */
@ActivityInterface
public interface Service {
    String send(String customer, int request);
}
