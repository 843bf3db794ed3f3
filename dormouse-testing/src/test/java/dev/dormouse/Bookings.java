package dev.dormouse;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Activities with compensations of all forms: each takes a second, and is in the log when it has worked. */
@ActivityInterface
interface Bookings {
    record Ticket(String number, List<String> seats) {}

    /** What begins with "bad" fails. */
    Ticket book(String what, List<String> seats);

    /** The same. */
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

    /** Cannot be undone. */
    void note(String text);

    static Bookings stub() {
        return Workflow.activities(Bookings.class);
    }

    class Real implements Bookings {
        private final SimulatedDormouse sim;

        Real(SimulatedDormouse sim) {
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
            Deeds.failIfBad(seats.isEmpty() ? "" : seats.get(0));
            sim.log("cancel " + what + seats + ticket.number() + ticket.seats());
        }

        @Override
        public void pay(String who, int amount) {
            work("pay ", who + amount);
        }

        @Override
        public String refund(String who, int amount) {
            work("refund ", who + amount);
            return "nobody wants this";
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
            Deeds.failIfBad(what);
            sim.log(kind + what);
        }
    }
}
