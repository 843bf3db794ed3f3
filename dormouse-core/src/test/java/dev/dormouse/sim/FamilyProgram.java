package dev.dormouse.sim;

import dev.dormouse.codec.Payload;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.ParentClose;
import dev.dormouse.internal.replay.PendingCall;
import dev.dormouse.internal.replay.Program;
import dev.dormouse.internal.replay.Replay;
import dev.dormouse.internal.run.StepPolicy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/**
 * A parent with a child that it waits for, and one that it does not wait for, which continues as new until it is
 * terminated. What the children get is different each time the parent's step executes, so that a child of a timeline that a
 * failover lost can be distinguished from another.
 */
final class FamilyProgram implements Program {
    static final String TYPE = "family";

    private static final StepPolicy ONCE =
            new StepPolicy(Duration.ofMillis(700), 2, Duration.ofSeconds(3), 0, 0, null, Set.of(), null, null, null);

    private final Supplier<String> stamp;

    /** @param stamp a text that is different each time */
    FamilyProgram(Supplier<String> stamp) {
        this.stamp = stamp;
    }

    static Payload parent(long seed) {
        return text("parent|" + seed + "|");
    }

    @Override
    public Callable<Payload> prepare(Replay run) {
        String[] input = text(run.started().input().get(0)).split("[|]", -1);
        Random random = new Random(Long.parseLong(input[1]));
        return switch (input[0]) {
            case "parent" -> () -> parent(run, random);
            case "kid" -> () -> kid(run, random, input[2]);
            default -> () -> restless(run, random, input);
        };
    }

    private Payload parent(Replay run, Random random) {
        String tag =
                text(run.step("tag", ONCE, false, attempt -> text(stamp.get())).payload());
        child(run, "restless", random, tag);
        run.sleep(Duration.ofMillis(1 + random.nextInt(2_000)));
        PendingCall kid = child(run, "kid", random, tag);
        run.until(kid::isOver);
        if (!(kid.end() instanceof Event.RunCompleted completed)) {
            throw new IllegalStateException("the kid came to " + kid.end());
        }
        run.sleep(Duration.ofMillis(1 + random.nextInt(2_000)));
        return text(tag + " and " + text(completed.result()));
    }

    private static PendingCall child(Replay run, String role, Random random, String tag) {
        String id = run.run().workflowId() + "-" + role;
        Payload input = text(role + "|" + random.nextInt(1_000) + "|" + tag);
        return run.child(id, TYPE, List.of(input), ParentClose.TERMINATE, null);
    }

    private static Payload kid(Replay run, Random random, String tag) {
        run.sleep(Duration.ofMillis(1 + random.nextInt(500)));
        return text(tag);
    }

    private static Payload restless(Replay run, Random random, String[] input) {
        run.sleep(Duration.ofMillis(1 + random.nextInt(100)));
        throw run.continueAsNew(null, List.of(text(String.join("|", input))), List.of());
    }

    static Payload text(String text) {
        return new Payload("text", text.getBytes(StandardCharsets.UTF_8));
    }

    static String text(Payload payload) {
        return new String(payload.bytes(), StandardCharsets.UTF_8);
    }
}
