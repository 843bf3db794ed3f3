package dev.dormouse.chaos;

import dev.dormouse.Signal;
import dev.dormouse.WorkflowContext;
import dev.dormouse.WorkflowFunction;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A workflow that does what its input says, word by word, and writes it down: {@code sleep:500} sleeps so many
 * milliseconds, {@code until:1700000000000} until that instant, {@code signal:500} waits so long for a signal, {@code halt:0} is a step that ends its process, and any
 * other name is a step that takes so many milliseconds.
 */
final class Script implements WorkflowFunction<String, String> {
    static final String TYPE = "script";

    /** The same, but results of its steps are committed a little later. */
    static final String BATCHED = "batched";

    private final Journal.Writer journal;

    Script(Journal.Writer journal) {
        this.journal = journal;
    }

    @Override
    public String run(WorkflowContext ctx, String script) {
        write(Deed.Kind.ENTERED, ctx, "-");
        try {
            for (String word : script.split(" ", -1)) {
                String[] parts = word.split(":", -1);
                act(ctx, parts[0], Long.parseLong(parts[1]));
            }
            return "done";
        } catch (Error thrownOut) {
            write(Deed.Kind.UNWOUND, ctx, thrownOut.getClass().getSimpleName());
            throw thrownOut;
        }
    }

    private void act(WorkflowContext ctx, String name, long number) {
        switch (name) {
            case "sleep" -> {
                ctx.sleep(Duration.ofMillis(number));
                woke(ctx, name);
            }
            case "until" -> {
                ctx.sleepUntil(Instant.ofEpochMilli(number));
                woke(ctx, name);
            }
            case "signal" -> {
                Optional<Signal> signal = ctx.waitForSignal(Duration.ofMillis(number));
                woke(ctx, signal.map(Signal::name).orElse("nothing"));
            }
            default -> ctx.step(name, () -> step(ctx, name, Duration.ofMillis(number)));
        }
    }

    private void woke(WorkflowContext ctx, String name) {
        if (!ctx.info().isReplaying()) {
            write(Deed.Kind.WOKE, ctx, name);
        }
    }

    private void step(WorkflowContext ctx, String name, Duration takes) throws InterruptedException {
        write(Deed.Kind.BEGAN, ctx, name);
        try {
            if (name.equals("halt")) {
                Runtime.getRuntime().halt(9);
            }
            pass(takes);
            write(Deed.Kind.ENDED, ctx, name);
        } catch (InterruptedException e) {
            write(Deed.Kind.INTERRUPTED, ctx, name);
            throw e;
        }
    }

    /** Takes its time, as a call to somebody else would. */
    private static void pass(Duration time) throws InterruptedException {
        boolean never = new CountDownLatch(1).await(time.toNanos(), TimeUnit.NANOSECONDS);
        if (never) {
            throw new AssertionError("nobody opens this latch");
        }
    }

    private void write(Deed.Kind kind, WorkflowContext ctx, String name) {
        journal.write(kind, ctx.info().workflowId(), ctx.info().runId(), name);
    }
}
