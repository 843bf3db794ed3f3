package dev.dormouse.chaos.workload;

import dev.dormouse.Signal;
import dev.dormouse.WorkflowContext;
import dev.dormouse.WorkflowFunction;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A workflow that executes the words of its input and records them in the journal:
 *
 * <ul>
 * <li>{@code sleep:500} sleeps for 500 ms.
 * <li>{@code until:1700000000000} sleeps until that instant, in milliseconds since 1970.
 * <li>{@code signal:500} waits up to 500 ms for a signal.
 * <li>{@code halt:0} is a step that ends its process.
 * <li>Any other name is a step that takes the given number of milliseconds.
 * </ul>
 */
public final class ScriptWorkflow implements WorkflowFunction<String, String> {
    public static final String TYPE = "script";

    /** The workflow type with batched durability: results of its steps are committed a little later. */
    public static final String BATCHED = "batched";

    private final WorkerJournal.Writer journal;

    public ScriptWorkflow(WorkerJournal.Writer journal) {
        this.journal = journal;
    }

    @Override
    public String run(WorkflowContext ctx, String script) {
        write(JournalEntry.Kind.ENTERED, ctx, "-");
        try {
            for (String word : script.split(" ", -1)) {
                String[] parts = word.split(":", -1);
                act(ctx, parts[0], Long.parseLong(parts[1]));
            }
            return "done";
        } catch (Error thrownOut) {
            write(JournalEntry.Kind.UNWOUND, ctx, thrownOut.getClass().getSimpleName());
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
            write(JournalEntry.Kind.WOKE, ctx, name);
        }
    }

    private void step(WorkflowContext ctx, String name, Duration takes) throws InterruptedException {
        write(JournalEntry.Kind.BEGAN, ctx, name);
        try {
            if (name.equals("halt")) {
                Runtime.getRuntime().halt(9);
            }
            pass(takes);
            write(JournalEntry.Kind.ENDED, ctx, name);
        } catch (InterruptedException e) {
            write(JournalEntry.Kind.INTERRUPTED, ctx, name);
            throw e;
        }
    }

    /** Takes time, like a remote call. */
    private static void pass(Duration time) throws InterruptedException {
        boolean never = new CountDownLatch(1).await(time.toNanos(), TimeUnit.NANOSECONDS);
        if (never) {
            throw new AssertionError("the latch is never opened");
        }
    }

    private void write(JournalEntry.Kind kind, WorkflowContext ctx, String name) {
        journal.write(kind, ctx.info().workflowId(), ctx.info().runId(), name);
    }
}
