package dev.dormouse.examples.travel;

import dev.dormouse.Saga;
import dev.dormouse.Workflow;
import java.time.Duration;

/** A trip with explicit compensations, in a {@link dev.dormouse.Saga}. */
public class SagaTripWorkflow implements Trip {
    private final Desk desk = Workflow.activities(Desk.class);

    @Override
    public String book(String traveller, Duration opensIn) {
        Saga saga = new Saga();
        try {
            String flight = desk.book("flight", traveller);
            saga.addCompensation("flight", () -> desk.cancel(flight));

            String hotel = desk.book("hotel", traveller);
            saga.addCompensation("hotel", () -> desk.cancel(hotel));

            Workflow.sleep(opensIn);
            String car = desk.book("car", traveller);
            return flight + ", " + hotel + " and " + car;
        } catch (RuntimeException problem) { // also if the run is cancelled
            throw saga.compensateAfter(problem);
        }
    }
}
