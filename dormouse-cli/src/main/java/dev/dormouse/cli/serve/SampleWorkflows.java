package dev.dormouse.cli.serve;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.Signal;
import dev.dormouse.WorkflowContext;
import dev.dormouse.plugin.WorkflowModule;
import dev.dormouse.schedule.Interval;
import dev.dormouse.schedule.Schedule;
import dev.dormouse.timer.TimerOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** Sample workflows for {@code dormouse dev}: steps, retries, sleeps, an approval, timers and a schedule. */
public final class SampleWorkflows implements WorkflowModule {

    @Override
    public void register(DormouseBuilder builder) {
        builder.workflow("greeting", String.class, String.class, (ctx, name) -> "Hello, " + name + "!");
        builder.workflow("approval", String.class, String.class, SampleWorkflows::approve);
        builder.workflow("reminder", String.class, String.class, SampleWorkflows::remind);
    }

    /** Sleeps between steps that fail one time in three. */
    private static String remind(WorkflowContext ctx, String user) {
        for (int i = 1; i <= 3; i++) {
            String letter = "letter " + i;
            ctx.step(letter, () -> send(letter));
            ctx.sleep(Duration.ofMinutes(i));
        }
        return "reminded " + user;
    }

    private static void send(String letter) {
        if (ThreadLocalRandom.current().nextInt(3) == 0) {
            throw new IllegalStateException("The mail server does not answer; " + letter + " is sent again later.");
        }
    }

    /** Waits for a signal of any name, such as {@code approve}. */
    private static String approve(WorkflowContext ctx, String what) {
        Optional<Signal> answer = ctx.waitForSignal(Duration.ofHours(1));
        return what + ": " + answer.map(Signal::name).orElse("no answer in time");
    }

    @Override
    public void opened(Dormouse dormouse) {
        dormouse.timers().handle("beep", String.class, (String text) -> {});
        dormouse.timers()
                .after(Duration.ofMinutes(10), "beep", TimerOptions.DEFAULT.withId("sample-beep"), "time for tea");
        dormouse.schedules()
                .put(
                        "sample-every-minute",
                        Schedule.of(new Interval(Duration.ofMinutes(1), Instant.EPOCH))
                                .withWorkflow("greeting", "world"));
        dormouse.start("greeting", "sample-greeting", String.class, "Ada");
        dormouse.start("approval", "sample-approval", String.class, "a new desk");
        for (String user : new String[] {"ada", "bert", "carl"}) {
            dormouse.start("reminder", "sample-reminder-" + user, String.class, user);
        }
    }
}
