package dev.dormouse.support.upgrade;

import dev.dormouse.Activity;
import dev.dormouse.ActivityOptions;
import dev.dormouse.ChildOptions;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.Durability;
import dev.dormouse.Promise;
import dev.dormouse.QueueOptions;
import dev.dormouse.RetryPolicy;
import dev.dormouse.TypeRef;
import dev.dormouse.WorkflowContext;
import dev.dormouse.error.CancelledException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The workflows of the stored databases. They never change; {@link #corrected} has those whose earlier code was wrong. */
final class UpgradeWorkflows {
    /** So far in the future that no test sees the end of it. */
    static final Duration AGES = Duration.ofDays(30_000);

    /** Long enough for the program that wrote the databases, and over when a test reads them. */
    private static final Duration SHORT = Duration.ofSeconds(100);

    private static final List<String> STEPS = List.of("one", "two", "three", "four");

    private final Work work;

    private UpgradeWorkflows(Work work) {
        this.work = work;
    }

    /** Registers the workflows and activities whose code was right from the beginning. */
    static DormouseBuilder register(DormouseBuilder builder, Work work) {
        UpgradeWorkflows code = new UpgradeWorkflows(work);
        return builder.queue("tools", QueueOptions.DEFAULT.withMaxTotal(1))
                .activity("crawl", String.class, String.class, code::crawl)
                .activity("ask", String.class, String.class, code::ask)
                .activity("tool", String.class, String.class, id -> work.at(id + "/tool"))
                .workflow("steps", String.class, String.class, code::steps)
                .workflow("batched", Durability.BATCHED, String.class, String.class, code::steps)
                .workflow("sleeps", Duration.class, String.class, code::sleeps)
                .workflow("signals", Integer.class, String.class, UpgradeWorkflows::signals)
                .workflow("retries", String.class, String.class, code::retries)
                .workflow("parent", String.class, String.class, UpgradeWorkflows::parent)
                .workflow("rounds", Integer.class, String.class, UpgradeWorkflows::rounds)
                .workflow("events", String.class, String.class, UpgradeWorkflows::events)
                .workflow("crawls", String.class, String.class, UpgradeWorkflows::crawls)
                .workflow("uses", String.class, String.class, UpgradeWorkflows::uses)
                .workflow("asks", String.class, String.class, UpgradeWorkflows::asks)
                .workflow("cleans", String.class, String.class, code::cleans)
                .workflow("forks", String.class, String.class, code::forks)
                .workflow("sends", String.class, String.class, UpgradeWorkflows::sends)
                .workflow("ticks", String.class, String.class, code::ticks)
                .workflow(Desk.class, () -> new Desk.Implementation(work));
    }

    /**
     * Registers the types whose earlier code was wrong, or was not there at the end: "stuck" threw an Error, "mismatch"
     * called its step "b" when it was replayed, "fails" threw after its step, "versions" knew only version 1, and no node
     * had the code of "absent" or served the queue "line" any more. No node of this version has the code of "gone".
     */
    static DormouseBuilder corrected(DormouseBuilder builder, Work work) {
        UpgradeWorkflows code = new UpgradeWorkflows(work);
        return builder.queue("line", QueueOptions.DEFAULT)
                .workflow("absent", Integer.class, String.class, UpgradeWorkflows::signals)
                .workflow("stuck", String.class, String.class, (ctx, input) -> code.step(ctx, "one") + " corrected")
                .workflow("mismatch", String.class, String.class, (ctx, input) -> mismatch(ctx, work, "a"))
                .workflow("fails", String.class, String.class, (ctx, input) -> code.step(ctx, "one") + " corrected")
                .workflow("versions", String.class, String.class, (ctx, input) -> versions(ctx, 2));
    }

    /** @param step "a", or a name that does not match the history */
    static String mismatch(WorkflowContext ctx, Work work, String step) {
        String done = new UpgradeWorkflows(work).step(ctx, step);
        return done + " " + signals(ctx, 1);
    }

    /** @param known the newest version that this code knows */
    static String versions(WorkflowContext ctx, int known) {
        int version = ctx.version("greeting", 0, known);
        return "version " + version + " " + signals(ctx, 1);
    }

    /** Waits for some signals, and returns their texts. */
    static String signals(WorkflowContext ctx, int number) {
        StringBuilder texts = new StringBuilder();
        for (int i = 0; i < number; i++) {
            texts.append(i == 0 ? "" : " ")
                    .append(ctx.waitForSignal(AGES).orElseThrow().value(String.class));
        }
        return texts.toString();
    }

    /** Throws after its step. */
    static String failing(WorkflowContext ctx, Work work) {
        throw new IllegalStateException(new UpgradeWorkflows(work).step(ctx, "one") + " was not enough");
    }

    private String step(WorkflowContext ctx, String name) {
        String place = ctx.info().workflowId() + "/" + name;
        return ctx.step(name, String.class, () -> work.at(place));
    }

    private String steps(WorkflowContext ctx, String input) {
        return input + " "
                + String.join(" ", STEPS.stream().map(name -> step(ctx, name)).toList());
    }

    private String sleeps(WorkflowContext ctx, Duration time) {
        String before = step(ctx, "before");
        ctx.sleep(time);
        return before + " " + step(ctx, "after");
    }

    private String retries(WorkflowContext ctx, String input) {
        RetryPolicy slow = RetryPolicy.DEFAULT.withInitialInterval(SHORT).withJitter(0);
        String before = step(ctx, "before");
        return ctx.step(
                "flaky",
                ActivityOptions.DEFAULT.withRetry(slow),
                String.class,
                () -> before + " " + work.at(input + "/flaky") + " "
                        + Activity.info().attempt());
    }

    private static String parent(WorkflowContext ctx, String childType) {
        String id = ctx.info().workflowId() + "-child";
        Object input = childType.equals("signals") ? 1 : "child";
        return "child: "
                + ctx.child(childType, id, ChildOptions.DEFAULT, String.class, input)
                        .get();
    }

    private static String rounds(WorkflowContext ctx, Integer round) {
        if (round == 4) {
            return "round 4 " + signals(ctx, 1);
        } else if (round == 3) {
            signals(ctx, 1);
        }
        return ctx.continueAsNew(round + 1);
    }

    private static String events(WorkflowContext ctx, String ship) {
        return ctx.waitForEvent("arrival", Map.of("ship", ship))
                .payload(new TypeRef<Map<String, String>>() {})
                .toString();
    }

    private static String crawls(WorkflowContext ctx, String input) {
        return ctx.activity("crawl", "crawl", ActivityOptions.DEFAULT, String.class, input);
    }

    private String crawl(String id) throws Exception {
        int page = Activity.lastHeartbeat(Integer.class).orElse(0);
        Activity.heartbeat(page + 41);
        return work.at(id + "/crawl") + " from " + page;
    }

    private static String uses(WorkflowContext ctx, String input) {
        return ctx.activity("tool", "tool", ActivityOptions.DEFAULT.withQueue("tools"), String.class, input);
    }

    private static String asks(WorkflowContext ctx, String input) {
        return "answer: " + ctx.activity("ask", "ask", ActivityOptions.DEFAULT, String.class, input);
    }

    /** Hands its token to the workflow "keeper", which returns it. */
    private String ask(String id) throws Exception {
        String token = Activity.completeLater();
        Activity.dormouse().handle("keeper").signal("token", token);
        return work.at(id + "/ask");
    }

    private String cleans(WorkflowContext ctx, String input) {
        try {
            return signals(ctx, 1);
        } catch (CancelledException cancelled) {
            ctx.newDetachedCancellationScope(() -> step(ctx, "clean up")).run();
            throw cancelled;
        }
    }

    private String forks(WorkflowContext ctx, String input) {
        Promise<String> left = ctx.async(() -> step(ctx, "left") + " " + step(ctx, "end of left"));
        Promise<String> right = ctx.async(() -> step(ctx, "right"));
        return left.get() + " " + right.get();
    }

    private static String sends(WorkflowContext ctx, String receiver) {
        ctx.signal(receiver, "text", "sent before");
        return "sent";
    }

    private String ticks(WorkflowContext ctx, String input) {
        return step(ctx, "tick");
    }
}
