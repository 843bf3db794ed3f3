package dev.dormouse.examples.travel;

import dev.dormouse.Dormouse;
import dev.dormouse.IdReuse;
import dev.dormouse.StartOptions;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ActivityFailedException;
import dev.dormouse.error.WorkflowException;
import dev.dormouse.examples.terminal.Command;
import dev.dormouse.examples.terminal.Terminal;
import java.time.Duration;

/**
 * A trip that books a flight and a hotel, and waits until the car rental opens. There is no car, so the rest is
 * cancelled. {@code cancel} has this effect at once. Kill the program at any point and run it again: it resumes. See
 * {@link Terminal}.
 */
public final class TripExample {
    private static final String ID = "trip-1";
    private static final StartOptions ANEW = StartOptions.DEFAULT.withIdReuse(IdReuse.START_NEW);

    private TripExample() {}

    public static void main(String[] args) {
        Terminal.run(args, "sqlite:travel.db", Duration.ofSeconds(10), TripExample::start, TripExample::update);
    }

    private static void start(Terminal terminal) {
        try (Dormouse dormouse = Dormouse.builder()
                .store(terminal.store())
                .workflow(Trip.class, TripWorkflow::new)
                .activities(Travel.class, new ConsoleTravel())
                .open()) {
            Trip trip = dormouse.workflow(Trip.class, ID, ANEW);
            WorkflowHandle<String> handle = dormouse.start(() -> trip.book("ada", terminal.duration()));
            terminal.say("Waiting. You can: cancel");
            terminal.obey(command -> obey(handle, command));
            terminal.say("The result: " + handle.result());
        } catch (WorkflowException failed) {
            terminal.say("No trip: " + failed.getMessage());
        }
    }

    /** Sends commands: this process knows the workflow only by its name. */
    private static void update(Terminal terminal) {
        try (Dormouse dormouse = Dormouse.builder()
                .store(terminal.store())
                .remoteWorkflow("Trip")
                .open()) {
            terminal.say("Ready. You can: cancel");
            terminal.obey(command -> obey(dormouse.find(ID, String.class).orElseThrow(), command));
        }
    }

    private static Object obey(WorkflowHandle<String> handle, Command command) {
        if (!command.name().equals("cancel")) {
            throw command.unknown("cancel");
        }
        handle.cancel("ada stays at home");
        return "Sent.";
    }

    private static final class ConsoleTravel implements Travel {
        @Override
        public String bookFlight(String traveller) {
            System.out.println("Booked a flight for " + traveller + ".");
            return "flight F1";
        }

        @Override
        public void cancelFlight(String traveller, String flight) {
            System.out.println("Cancelled " + flight + " of " + traveller + ".");
        }

        @Override
        public String bookHotel(String traveller, int nights) {
            System.out.println("Booked a hotel for " + traveller + ", " + nights + " nights.");
            return "hotel H1";
        }

        @Override
        public void cancelHotel(String traveller, int nights, String hotel) {
            System.out.println("Cancelled " + hotel + " of " + traveller + ", " + nights + " nights.");
        }

        @Override
        public String bookCar(String traveller) {
            throw ActivityFailedException.nonRetryable("there is no car left"); // even if it is cancelled repeatedly
        }
    }
}
