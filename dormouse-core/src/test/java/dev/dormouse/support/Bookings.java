package dev.dormouse.support;

import dev.dormouse.ActivityInterface;
import dev.dormouse.Compensate;
import dev.dormouse.Workflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Activities with all forms of compensations. Each takes a second and logs its success. */
@ActivityInterface
public interface Bookings {
    record Ticket(String number, List<String> seats) {}

    /** Fails if {@code what} starts with "bad". */
    Ticket book(String what, List<String> seats);

    /** Fails if the first seat starts with "bad". */
    @Compensate(forActivity = "book")
    void cancel(String what, List<String> seats, Ticket ticket);

    void pay(String who, int amount);

    @Compensate(forActivity = "pay")
    String refund(String who, int amount);

    int lock();

    @Compensate(forActivity = "lock")
    void unlock();

    int count();

    @Compensate(forActivity = "count")
    void uncount(int number);

    /** An activity without a compensation. */
    void note(String text);

    static Bookings stub() {
        return Workflow.activities(Bookings.class);
    }

    class Real implements Bookings {
        private final SimulatedDormouse sim;

        public Real(SimulatedDormouse sim) {
            this.sim = sim;
        }

        @Override
        public Ticket book(String what, List<String> seats) {
            work("book ", what);
            return new Ticket("T-" + what, new ArrayList<>(seats));
        }

        @Override
        public void cancel(String what, List<String> seats, Ticket ticket) {
            sim.advance(Duration.ofSeconds(1));
            UndoableActivities.failIfBad(seats.isEmpty() ? "" : seats.get(0));
            sim.log("cancel " + what + seats + ticket.number() + ticket.seats());
        }

        @Override
        public void pay(String who, int amount) {
            work("pay ", who + amount);
        }

        @Override
        public String refund(String who, int amount) {
            work("refund ", who + amount);
            return "an ignored result";
        }

        @Override
        public int lock() {
            work("lock", "");
            return 1;
        }

        @Override
        public void unlock() {
            work("unlock", "");
        }

        @Override
        public int count() {
            work("count", "");
            return 42;
        }

        @Override
        public void uncount(int number) {
            work("uncount ", "" + number);
        }

        @Override
        public void note(String text) {
            work("note ", text);
        }

        private void work(String kind, String what) {
            sim.advance(Duration.ofSeconds(1));
            UndoableActivities.failIfBad(what);
            sim.log(kind + what);
        }
    }
}
