package dev.dormouse.testing.releases;

import dev.dormouse.ActivityOptions;
import dev.dormouse.ChildHandle;
import dev.dormouse.ChildOptions;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.IdReuse;
import dev.dormouse.ParentClosePolicy;
import dev.dormouse.Promise;
import dev.dormouse.RetryPolicy;
import dev.dormouse.WorkflowContext;
import dev.dormouse.error.ActivityFailedException;
import dev.dormouse.error.ApplicationException;
import dev.dormouse.error.CancelledException;
import dev.dormouse.error.ChildFailedException;
import java.time.Duration;
import java.util.List;

/** One small workflow for each thing that leaves something in a history. */
final class Functions {
    private static final Duration DAY = Duration.ofDays(1);

    private Functions() {}

    static DormouseBuilder register(DormouseBuilder builder) {
        return builder.workflow(Booking.class, Booking.Implementation::new)
                .activityOptions(ActivityOptions.DEFAULT.withRetry(RetryPolicy.NONE))
                .activities(Desk.class, new Desk.Implementation())
                .workflow("steps", String.class, String.class, Functions::steps)
                .workflow("sleeps", String.class, String.class, Functions::sleeps)
                .workflow("waits", String.class, String.class, Functions::waits)
                .workflow("signals", String.class, String.class, Functions::signals)
                .workflow("versions", String.class, String.class, Functions::versions)
                .workflow("coroutines", String.class, String.class, Functions::coroutines)
                .workflow("parent", String.class, String.class, Functions::parent)
                .workflow("child", String.class, String.class, Functions::child)
                .workflow("guardian", String.class, String.class, Functions::guardian)
                .workflow("rounds", Integer.class, String.class, Functions::rounds)
                .workflow("cleanup", String.class, String.class, Functions::cleanup)
                .workflow("fails", String.class, String.class, Functions::fails)
                .workflow("details", String.class, String.class, Functions::details)
                .workflow("waiting", String.class, String.class, Functions::waiting);
    }

    private static String steps(WorkflowContext ctx, String input) {
        String one = ctx.step("one", String.class, () -> input + "!");
        ctx.step("nothing", () -> {});
        try {
            ctx.activities(Desk.class).break_();
        } catch (ActivityFailedException expected) {
            return ctx.step("after failure", String.class, () -> one + " went on");
        }
        return "not broken";
    }

    private static String sleeps(WorkflowContext ctx, String input) {
        ctx.sleep(Duration.ofSeconds(2));
        ctx.sleep(Duration.ZERO);
        ctx.sleepUntil(ctx.now().plus(DAY));
        Promise<?> late = ctx.newTimer(DAY);
        Promise<?> later = ctx.newTimer(DAY.multipliedBy(2));
        late.get();
        later.cancel();
        return input + " at " + ctx.now();
    }

    private static String waits(WorkflowContext ctx, String input) {
        boolean never = ctx.await(DAY, () -> false);
        boolean already = ctx.await(DAY, () -> true);
        return never + " " + already + " " + ctx.waitForSignal(DAY).isPresent();
    }

    private static String signals(WorkflowContext ctx, String input) {
        String one = ctx.waitForSignal("one", DAY).orElseThrow().name();
        String other = ctx.waitForSignal(DAY).orElseThrow().name();
        return one + " before " + other;
    }

    private static String versions(WorkflowContext ctx, String input) {
        int first = ctx.version("first", 0, 1);
        ctx.sleep(DAY);
        int second = ctx.version("second", 3, 5);
        return ctx.step("versions", String.class, () -> first + " " + second);
    }

    private static String coroutines(WorkflowContext ctx, String input) {
        Promise<String> slow = ctx.async(() -> {
            ctx.sleep(Duration.ofHours(2));
            return ctx.step("slow", String.class, () -> "slow");
        });
        Promise<String> fast = ctx.async(() -> ctx.step("fast", String.class, () -> "fast"));
        Promise.anyOf(slow, fast).get();
        String first = fast.isDone() ? "fast" : "slow";
        Promise.allOf(slow, fast).get();
        return first + " first, " + ctx.randomUuid();
    }

    private static String parent(WorkflowContext ctx, String input) {
        ChildOptions options = ChildOptions.DEFAULT;
        Promise<String> good = ctx.child("child", input + "-good", options, String.class, "good");
        Promise<String> bad = ctx.child("child", input + "-bad", options, String.class, "bad");
        ctx.child(
                "child",
                input + "-left",
                options.withParentClosePolicy(ParentClosePolicy.ABANDON),
                String.class,
                "left");
        ctx.signal(input + "-good", "hello");
        String result = good.get();
        try {
            return bad.get();
        } catch (ChildFailedException expected) {
            return result + " in spite of " + expected.code();
        }
    }

    private static String child(WorkflowContext ctx, String input) {
        ctx.sleep(Duration.ofHours(1));
        if (input.equals("bad")) {
            throw new IllegalStateException("a bad child");
        }
        return input + " " + ctx.waitForSignal(Duration.ofHours(1)).isPresent();
    }

    private static String guardian(WorkflowContext ctx, String input) {
        ChildOptions options = ChildOptions.DEFAULT
                .withStartDelay(DAY)
                .withExecutionTimeout(DAY)
                .withIdReuse(IdReuse.START_NEW)
                .withMemo("why", "to see it fail");
        RetryPolicy twice = RetryPolicy.DEFAULT.withMaxAttempts(2);
        ChildHandle<String> bad =
                ctx.startChild("child", input + "-bad", options.withRetry(twice), String.class, "bad");
        bad.started().get();
        return bad.failure().isPresent() + " "
                + bad.handle((result, problem) -> problem != null).get();
    }

    private static String rounds(WorkflowContext ctx, Integer round) {
        int next = ctx.waitForSignal(DAY).isPresent() ? round + 10 : round + 1;
        if (next < 13) {
            ctx.continueAsNew(next);
        }
        return "after " + next;
    }

    private static String cleanup(WorkflowContext ctx, String input) {
        try {
            ctx.sleep(DAY);
            return "not cancelled";
        } catch (CancelledException cancelled) {
            ctx.newDetachedCancellationScope(() -> {
                        ctx.sleep(Duration.ofMinutes(5));
                        ctx.step("clean up", () -> {});
                    })
                    .run();
            throw cancelled;
        }
    }

    /** Fails with details, after it has read those of a step. */
    private static String details(WorkflowContext ctx, String input) {
        ApplicationException cause = new ApplicationException("Cause", "why").withDetails(List.of(1, 2));
        try {
            ctx.step("typed", () -> {
                throw new ApplicationException("Typed", "as it should", cause).withDetails(new Booking.Guest(input, 3));
            });
            return "not broken";
        } catch (ActivityFailedException expected) {
            Booking.Guest guest = expected.details(Booking.Guest.class).orElseThrow();
            throw new ApplicationException("Ended", guest.name() + " " + expected.isCausedBy("Cause"))
                    .withDetails(guest.nights());
        }
    }

    /** Waits for a step that is tried again in a day, until it is cancelled. */
    private static String waiting(WorkflowContext ctx, String input) {
        ActivityOptions options = ActivityOptions.DEFAULT
                .withRetry(RetryPolicy.DEFAULT
                        .withInitialInterval(DAY.multipliedBy(2))
                        .withJitter(0))
                .withWaitForCancellation();
        try {
            ctx.step("waiting", options, () -> {
                throw new IllegalStateException("not yet");
            });
            return "not cancelled";
        } catch (CancelledException cancelled) {
            return cancelled.reason() + " " + cancelled.getSuppressed().length;
        }
    }

    private static String fails(WorkflowContext ctx, String input) {
        ctx.sleep(DAY);
        throw new IllegalArgumentException("as it should", new IllegalStateException(input));
    }
}
