package dev.dormouse.examples.travel;

import dev.dormouse.ActivityInterface;

/** Bookings without compensation methods: the workflow itself has to undo them. */
@ActivityInterface
public interface Desk {
    String book(String what, String traveller);

    void cancel(String booking);
}
