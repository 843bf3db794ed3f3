package dev.dormouse.examples.travel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.dormouse.Saga;
import dev.dormouse.SagaOptions;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ActivityFailedException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.WorkflowException;
import dev.dormouse.error.WorkflowFailedException;
import dev.dormouse.testing.TestDormouse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Trips that are booked completely or not at all. docs/sagas.md quotes this. */
class TripTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private final List<String> done = new ArrayList<>();

    /** A travel agency without cars. Cancelling an unknown booking has no effect. */
    private class Agency implements Travel, Desk {
        @Override
        public String bookFlight(String traveller) {
            return book("flight", traveller);
        }

        @Override
        public void cancelFlight(String traveller, String flight) {
            cancel(flight);
        }

        @Override
        public String bookHotel(String traveller, int nights) {
            return book("hotel", traveller);
        }

        @Override
        public void cancelHotel(String traveller, int nights, String hotel) {
            cancel(hotel);
        }

        @Override
        public String bookCar(String traveller) {
            return book("car", traveller);
        }

        @Override
        public String book(String what, String traveller) {
            if (what.equals("car")) {
                throw ActivityFailedException.nonRetryable("there is no car left");
            }
            done.add("book " + what);
            return what;
        }

        @Override
        public void cancel(String booking) {
            done.add("cancel " + booking);
        }
    }

    private TestDormouse open(Supplier<Trip> workflow) {
        Agency agency = new Agency();
        return TestDormouse.open(builder -> builder.workflow(Trip.class, workflow)
                .activities(Travel.class, agency)
                .activities(Desk.class, agency));
    }

    private WorkflowFailedException failureOf(Supplier<Trip> workflow) {
        try (TestDormouse test = open(workflow)) {
            Trip trip = test.dormouse().workflow(Trip.class, "trip");
            return catchThrowableOfType(WorkflowFailedException.class, () -> trip.book("ada", HOUR));
        }
    }

    @Test
    void withoutACarTheRestIsUndoneInReverseOrder() {
        for (Supplier<Trip> workflow : List.<Supplier<Trip>>of(TripWorkflow::new, SagaTripWorkflow::new)) {
            done.clear();
            assertThat(failureOf(workflow)).hasMessageContaining("there is no car left");
            assertThat(done).containsExactly("book flight", "book hotel", "cancel hotel", "cancel flight");
        }
    }

    @Test
    void cancelledTripIsUndoneByWhateverProcess() {
        for (Supplier<Trip> workflow : List.<Supplier<Trip>>of(TripWorkflow::new, SagaTripWorkflow::new)) {
            done.clear();
            try (TestDormouse test = open(workflow)) {
                Trip trip = test.dormouse().workflow(Trip.class, "trip");
                test.dormouse().start(() -> trip.book("ada", HOUR));
                test.advance(Duration.ofMinutes(1));
                test.restart();
                WorkflowHandle<String> handle =
                        test.dormouse().find("trip", String.class).orElseThrow();
                handle.cancel("ada stays at home");
                WorkflowException end = catchThrowableOfType(WorkflowException.class, handle::result);
                assertThat(end.code()).isEqualTo(ErrorCode.RUN_CANCELLED);
            }
            assertThat(done).containsExactly("book flight", "book hotel", "cancel hotel", "cancel flight");
        }
    }

    /** Cancels by the traveller's name, so that no result of the booking is needed. */
    static class CarefulTripWorkflow implements Trip {
        private final Desk desk = Workflow.activities(Desk.class);

        @Override
        public String book(String traveller, Duration opensIn) {
            Saga saga = new Saga(SagaOptions.DEFAULT.withParallelCompensation());
            try {
                saga.addCompensation(() -> desk.cancel("car of " + traveller)); // if there is one
                return desk.book("car", traveller);
            } catch (RuntimeException problem) {
                throw saga.compensateAfter(problem);
            }
        }
    }

    @Test
    void failedCallIsCompensatedIfItsCompensationWasAddedBefore() {
        assertThat(failureOf(CarefulTripWorkflow::new)).hasMessageContaining("there is no car left");
        assertThat(done).containsExactly("cancel car of ada");
    }
}
