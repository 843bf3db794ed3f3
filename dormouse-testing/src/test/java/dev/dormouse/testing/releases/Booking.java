package dev.dormouse.testing.releases;

import dev.dormouse.QueryMethod;
import dev.dormouse.SignalMethod;
import dev.dormouse.UpdatableTimer;
import dev.dormouse.UpdateMethod;
import dev.dormouse.UpdateValidatorMethod;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Waits for people: signals, updates that are answered, rejected or fail, a deadline that moves. */
@WorkflowInterface
interface Booking {
    record Guest(String name, int nights) {}

    @WorkflowMethod
    List<String> run(Duration open);

    @SignalMethod
    void note(String text);

    @UpdateMethod
    int add(Guest guest);

    @UpdateValidatorMethod(update = "add")
    void checkAdd(Guest guest);

    @UpdateMethod
    String confirm();

    @QueryMethod
    List<String> soFar();

    class Implementation implements Booking {
        private final Desk desk = Workflow.activities(Desk.class);
        private final UpdatableTimer deadline = Workflow.newUpdatableTimer("deadline");
        private final List<String> log = new ArrayList<>();
        private boolean confirmed;

        @Override
        public List<String> run(Duration open) {
            boolean inTime = deadline.await(Workflow.now().plus(open), () -> confirmed);
            log.add(inTime ? desk.reserve(log.size()) : "too late");
            return log;
        }

        @Override
        public void note(String text) {
            log.add("note " + text);
        }

        @Override
        public int add(Guest guest) {
            Workflow.sleep(Duration.ofMinutes(1));
            log.add(desk.greet(guest));
            return log.size();
        }

        @Override
        public void checkAdd(Guest guest) {
            if (guest.nights() < 1) {
                throw new IllegalArgumentException("no nights");
            }
        }

        @Override
        public String confirm() {
            if (log.isEmpty()) {
                throw new IllegalStateException("nobody to confirm for");
            }
            confirmed = true;
            return "confirmed";
        }

        @Override
        public List<String> soFar() {
            return log;
        }
    }
}
