package dev.dormouse.examples.travel;

import dev.dormouse.Workflow;
import java.time.Duration;

/** A trip without compensation code: the interface of its activities defines the compensations. */
public class TripWorkflow implements Trip {
    private final Travel travel = Workflow.activities(Travel.class);

    @Override
    public String book(String traveller, Duration opensIn) {
        String flight = travel.bookFlight(traveller);
        String hotel = travel.bookHotel(traveller, 3);
        Workflow.sleep(opensIn);
        String car = travel.bookCar(traveller);
        return flight + ", " + hotel + " and " + car;
    }
}
