package dev.dormouse.examples.travel;

import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import java.time.Duration;

/** A flight, a hotel and a car, or nothing. */
@WorkflowInterface
public interface Trip {
    /** @param opensIn the time until the car rental opens; the rest is booked by then */
    @WorkflowMethod
    String book(String traveller, Duration opensIn);
}
