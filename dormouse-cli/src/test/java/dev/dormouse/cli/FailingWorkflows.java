package dev.dormouse.cli;

import dev.dormouse.ChildOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.plugin.WorkflowModule;
import dev.dormouse.schedule.Interval;
import dev.dormouse.schedule.Schedule;
import dev.dormouse.timer.TimerOptions;
import java.time.Duration;

/** Workflows, timers and schedules that fail. */
public final class FailingWorkflows implements WorkflowModule {

    @Override
    public void register(DormouseBuilder builder) {
        builder.workflow(
                        "charging",
                        String.class,
                        String.class,
                        (ctx, card) -> ctx.step("charge", String.class, () -> {
                            throw new IllegalStateException("The bank does not answer.");
                        }))
                .workflow("failing", String.class, String.class, (ctx, why) -> {
                    throw new IllegalStateException(why);
                })
                .workflow(
                        "misspelling",
                        String.class,
                        String.class,
                        (ctx, text) -> ctx.child("grteeting", "kid", ChildOptions.DEFAULT, String.class, text)
                                .get())
                .workflow(
                        "queueing",
                        String.class,
                        String.class,
                        (ctx, text) -> ctx.child(
                                        "failing",
                                        "queued",
                                        ChildOptions.DEFAULT.withQueue("unserved"),
                                        String.class,
                                        text)
                                .get());
    }

    @Override
    public void opened(Dormouse dormouse) {
        dormouse.timers().handle("remind", String.class, text -> {
            throw new IllegalStateException("No mail server.");
        });
        dormouse.timers().handle("report", String.class, text -> {
            throw new IllegalStateException("No printer.");
        });
        Interval often = new Interval(Duration.ofSeconds(20), dormouse.now());
        dormouse.schedules().put("nightly", Schedule.of(often).withTimer("report", "x"));
        dormouse.schedules().trigger("nightly");
        dormouse.timers().after(Duration.ZERO, "remind", TimerOptions.DEFAULT.withId("remind-1"), "x");
    }
}
