package dev.dormouse.examples.reminder;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.WorkflowHandle;
import java.time.Duration;
import java.util.function.Consumer;

/** A workflow as a function. Steps have names instead of an interface. */
public final class ReminderExample {
    private ReminderExample() {}

    /** Returns a builder that only lacks its store. */
    static DormouseBuilder builder(Consumer<String> mail, Duration patience) {
        return Dormouse.builder().workflow("reminder", String.class, String.class, (ctx, user) -> { // input, output
            ctx.step("first", () -> mail.accept("Dear " + user + ", please pay your bill."));
            ctx.sleep(patience);
            int paid = ctx.step("look", Integer.class, () -> paymentsOf(user)); // a result that is kept
            if (paid == 0) {
                ctx.step("second", () -> mail.accept("Dear " + user + ", please do pay your bill!"));
            }
            return paid == 0 ? "reminded twice" : "paid";
        });
    }

    /** Simulates that Ada does not pay at once. */
    private static int paymentsOf(String user) {
        return user.equals("ada") ? 0 : 1;
    }

    public static void main(String[] args) {
        try (Dormouse dormouse = builder(System.out::println, Duration.ofSeconds(10))
                .store("sqlite:reminder.db")
                .open()) {
            WorkflowHandle<String> handle = dormouse.start("reminder", "reminder-ada", String.class, "ada");
            System.out.println(handle.result());
        }
    }
}
