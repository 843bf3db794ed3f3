package dev.dormouse.examples.travel;

import dev.dormouse.ActivityInterface;

/** Bookings, of which the workflow itself has to know how they are undone. */
@ActivityInterface
public interface Desk {
    String book(String what, String traveller);

    void cancel(String booking);
}
