package dev.dormouse.examples.subscription;

import dev.dormouse.Dormouse;
import dev.dormouse.IdReuse;
import dev.dormouse.StartOptions;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.examples.terminal.Command;
import dev.dormouse.examples.terminal.Terminal;
import java.time.Duration;
import java.time.Instant;

/**
 * A run that waits for {@code paid}. {@code grant 3d} makes the grace period end 3 days from now, without any code for
 * that in the workflow. See {@link Terminal}.
 */
public final class SubscriptionExample {
    private static final String ID = "subscription-1";
    private static final StartOptions ANEW = StartOptions.DEFAULT.withIdReuse(IdReuse.START_NEW);

    private SubscriptionExample() {}

    public static void main(String[] args) {
        Terminal.run(
                args,
                "sqlite:subscription.db",
                Duration.ofMinutes(1),
                SubscriptionExample::start,
                SubscriptionExample::update);
    }

    private static void start(Terminal terminal) {
        try (Dormouse dormouse = Dormouse.builder()
                .store(terminal.store())
                .workflow(Subscription.class, SubscriptionWorkflow::new)
                .activities(Billing.class, new ConsoleBilling())
                .open()) {
            Subscription subscription = dormouse.workflow(Subscription.class, ID, ANEW);
            WorkflowHandle<String> handle = dormouse.start(() -> subscription.collect("ada", terminal.duration()));
            terminal.say("Waiting. You can: paid, grant 3d");
            terminal.obey(command -> obey(handle, command));
            terminal.say("The result: " + handle.result());
        }
    }

    /** Sends commands: this process knows the workflow only by its name. */
    private static void update(Terminal terminal) {
        try (Dormouse dormouse = Dormouse.builder()
                .store(terminal.store())
                .remoteWorkflow("Subscription")
                .open()) {
            terminal.say("Ready. You can: paid, grant 3d");
            terminal.obey(command -> obey(dormouse.find(ID, String.class).orElseThrow(), command));
        }
    }

    private static Object obey(WorkflowHandle<String> handle, Command command) {
        return switch (command.name()) {
            case "paid" -> {
                handle.signal("paid");
                yield "Sent.";
            }
            case "grant" -> {
                handle.timer("grace").reschedule(Instant.now().plus(command.duration(1)), "granted");
                yield "Granted.";
            }
            default -> throw command.unknown("paid", "grant");
        };
    }

    private static final class ConsoleBilling implements Billing {
        @Override
        public void askForPayment(String customer, Instant until) {
            System.out.println("To " + customer + ": please pay until " + until + ".");
        }

        @Override
        public void suspend(String customer) {
            System.out.println("To " + customer + ": your subscription is suspended.");
        }
    }
}
