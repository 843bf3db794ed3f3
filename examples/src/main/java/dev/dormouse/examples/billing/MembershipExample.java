package dev.dormouse.examples.billing;

import dev.dormouse.Activity;
import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/**
 * A customer who pays a higher price after three months, and cancels a year later. Arguments: the store, and the length
 * of a month, such as {@code P30D}.
 */
public final class MembershipExample {
    private MembershipExample() {}

    public static void main(String[] args) throws InterruptedException {
        Duration month = args.length > 1 ? Duration.parse(args[1]) : Duration.ofMillis(50);
        ConsoleBank bank = new ConsoleBank();
        try (Dormouse dormouse = Dormouse.builder()
                .store(args.length > 0 ? args[0] : "sqlite::memory:")
                .workflow(Membership.class, MembershipWorkflow::new)
                .activities(Bank.class, bank)
                .open()) {
            Membership membership = dormouse.workflow(Membership.class, "membership-ada");
            Membership.State state = new Membership.State("ada", 900, month, Instant.now(), 0);
            WorkflowHandle<Integer> handle = dormouse.start(() -> membership.run(state));
            bank.charged.acquire(3);
            System.out.println("The price was " + membership.changePrice(1_000) + ".");
            bank.charged.acquire(12);
            membership.cancel();
            System.out.println("Ada is no longer a member, and has paid " + handle.result() + " cents.");
        }
    }

    private static final class ConsoleBank implements Bank {
        private final Semaphore charged = new Semaphore(0);
        private final Set<String> keys = ConcurrentHashMap.newKeySet();

        @Override
        public void charge(String customer, int cents) {
            if (keys.add(Activity.idempotencyKey())) { // a repeated request is not charged again
                System.out.println("Charged " + customer + " " + cents + " cents.");
                charged.release();
            }
        }

        @Override
        public void suspend(String customer, String reason) {
            System.out.println("Suspended " + customer + ": " + reason);
        }
    }
}
