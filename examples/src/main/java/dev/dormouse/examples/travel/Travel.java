package dev.dormouse.examples.travel;

import dev.dormouse.ActivityInterface;
import dev.dormouse.Compensate;

/** Bookings, each with the method that compensates it. */
@ActivityInterface
public interface Travel {
    String bookFlight(String traveller);

    @Compensate(forActivity = "bookFlight")
    void cancelFlight(String traveller, String flight);

    String bookHotel(String traveller, int nights);

    @Compensate(forActivity = "bookHotel")
    void cancelHotel(String traveller, int nights, String hotel);

    /** The last booking needs no compensation: nothing that can fail comes after it. */
    String bookCar(String traveller);
}
