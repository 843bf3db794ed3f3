package dev.dormouse.support;

import dev.dormouse.Workflow;
import dev.dormouse.WorkflowContext;
import dev.dormouse.WorkflowFunction;
import java.time.Duration;
import java.util.function.Consumer;

/** Builds of one workflow: as it was, and with one change each. */
public final class Orders {
    private static final Duration HOUR = Duration.ofHours(1);

    private final Consumer<String> log;

    public Orders(Consumer<String> log) {
        this.log = log;
    }

    private void step(WorkflowContext ctx, String name) {
        ctx.step(name, () -> log.accept(name));
    }

    /** The original: three steps with sleeps between. */
    public WorkflowFunction<String, String> original() {
        return (ctx, input) -> {
            step(ctx, "reserve");
            step(ctx, "charge");
            ctx.sleep(HOUR);
            step(ctx, "ship");
            ctx.sleep(HOUR);
            return "original";
        };
    }

    public WorkflowFunction<String, String> withoutReserve() {
        return (ctx, input) -> {
            ctx.step("charge", () -> log.accept("charge")); // Orders.withoutReserve
            ctx.sleep(HOUR);
            step(ctx, "ship");
            ctx.sleep(HOUR);
            return "withoutReserve";
        };
    }

    public WorkflowFunction<String, String> withoutCharge() {
        return (ctx, input) -> {
            step(ctx, "reserve");
            ctx.sleep(HOUR); // Orders.withoutCharge
            step(ctx, "ship");
            ctx.sleep(HOUR);
            return "withoutCharge";
        };
    }

    public WorkflowFunction<String, String> swapped() {
        return (ctx, input) -> {
            ctx.step("charge", () -> log.accept("charge")); // Orders.swapped
            step(ctx, "reserve");
            ctx.sleep(HOUR);
            step(ctx, "ship");
            ctx.sleep(HOUR);
            return "swapped";
        };
    }

    public WorkflowFunction<String, String> renamed() {
        return (ctx, input) -> {
            step(ctx, "reserve");
            Workflow.step("bill", () -> log.accept("bill")); // Orders.renamed
            ctx.sleep(HOUR);
            step(ctx, "ship");
            ctx.sleep(HOUR);
            return "renamed";
        };
    }

    public WorkflowFunction<String, String> stepInsteadOfSleep() {
        return (ctx, input) -> {
            step(ctx, "reserve");
            step(ctx, "charge");
            ctx.step("wait", () -> log.accept("wait")); // Orders.stepInsteadOfSleep
            step(ctx, "ship");
            ctx.sleep(HOUR);
            return "stepInsteadOfSleep";
        };
    }

    public WorkflowFunction<String, String> sleepInsteadOfStep() {
        return (ctx, input) -> {
            step(ctx, "reserve");
            ctx.sleep(HOUR); // Orders.sleepInsteadOfStep
            ctx.sleep(HOUR);
            step(ctx, "ship");
            ctx.sleep(HOUR);
            return "sleepInsteadOfStep";
        };
    }

    /** A step more where a sleeping run has come to. */
    public WorkflowFunction<String, String> added() {
        return (ctx, input) -> {
            step(ctx, "reserve");
            step(ctx, "charge");
            ctx.step("insure", () -> log.accept("insure")); // Orders.added
            ctx.sleep(HOUR);
            step(ctx, "ship");
            ctx.sleep(HOUR);
            return "added";
        };
    }

    /** Ends where the original sleeps. */
    public WorkflowFunction<String, String> shortened() {
        return (ctx, input) -> {
            step(ctx, "reserve");
            step(ctx, "charge");
            return "shortened";
        };
    }

    /** Throws where the original sleeps. */
    public WorkflowFunction<String, String> throwing() {
        return (ctx, input) -> {
            step(ctx, "reserve");
            step(ctx, "charge");
            throw new IllegalStateException("not any more");
        };
    }

    /** The change swallows the error that stops it, and continues. */
    public WorkflowFunction<String, String> deaf() {
        return (ctx, input) -> {
            try {
                ctx.step("charge", () -> log.accept("charge")); // Orders.deaf
            } catch (Throwable swallowed) {
                log.accept("swallowed");
            }
            try {
                step(ctx, "other");
            } catch (Throwable swallowed) {
                log.accept("swallowed");
            }
            return "deaf";
        };
    }
}
