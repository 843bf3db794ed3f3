package dev.dormouse.dag.support;

import dev.dormouse.RetryPolicy;
import dev.dormouse.dag.Dag;
import dev.dormouse.dag.DagBuilder;
import dev.dormouse.dag.data.Condition;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Random valid definitions with all kinds of steps, reproducible by their seed. */
public final class RandomDag {
    private static final List<String> TEXTS = List.of(
            "", " ", "x", "\"", "\n\t\r", "$", "$ .x", "\u0000", "\u2028", "é", "😀😀", "</script>", "x".repeat(5_000));
    private static final List<String> CRONS =
            List.of("0 9 * * MON-FRI", "*/5 * * * *", "0 0 29 2 *", "30 0 9 * * *", "0 0 1 1 *");
    private static final List<String> ZONES = List.of("UTC", "Europe/Berlin", "Asia/Kathmandu", "Australia/Lord_Howe");

    private final Random random;
    private final DagBuilder builder;
    private final List<String> steps = new ArrayList<>();
    private int helpers;

    private RandomDag(long seed) {
        random = new Random(seed);
        builder = Dag.workflow(pick(List.of("d", "Größe 1", "a b.c-d_e", "日本", "x".repeat(80))));
    }

    public static Dag of(long seed) {
        return new RandomDag(seed).dag();
    }

    private Dag dag() {
        int number = 1 + random.nextInt(12);
        for (int i = 0; i < number; i++) {
            String id = "s" + i + (chance(10) ? "-" + "y".repeat(90) : "");
            List<String> before = before();
            List<String> after = new ArrayList<>();
            add(id, before);
            more(before, after);
            steps.add(id);
            after.forEach(helper -> helper(helper));
        }
        workflow();
        return builder.build();
    }

    private List<String> before() {
        List<String> shuffled = new ArrayList<>(steps);
        Collections.shuffle(shuffled, random);
        return shuffled.subList(0, Math.min(shuffled.size(), random.nextInt(4)));
    }

    private void add(String id, List<String> before) {
        Duration time = duration();
        switch (random.nextInt(11)) {
            case 0, 1, 2 -> work(builder.task(id, activity()), before, true);
            case 3 -> builder.sleep(id, time);
            case 4 -> builder.sleep(id, path(before));
            case 5 ->
                builder.sleepUntil(id, Instant.ofEpochMilli(Math.floorMod(random.nextLong(), 4_000_000_000_000L)));
            case 6 -> builder.sleepUntil(id, pick(CRONS), ZoneId.of(pick(ZONES)));
            case 7 -> builder.waitForEvent(id, activity(), match(before), time);
            case 8 -> {
                builder.approval(id, time);
                if (random.nextBoolean()) {
                    builder.ask(activity()).input(template(3, before));
                }
            }
            case 9 -> {
                work(builder.map(id, activity(), path(before)), before, true);
                if (random.nextBoolean()) {
                    builder.parallelism(1 + random.nextInt(1_000)).limit(1 + random.nextInt(100_000));
                }
            }
            default ->
                work(
                        random.nextBoolean() ? builder.subWorkflow(id, "d") : builder.subWorkflowType(id, "Some.type"),
                        before,
                        false);
        }
        if (!before.isEmpty()) {
            builder.after(before.toArray(String[]::new));
        }
    }

    private void work(DagBuilder step, List<String> before, boolean retried) {
        if (chance(60)) {
            step.input(template(3, before));
        }
        if (chance(30)) {
            step.timeout(duration());
        }
        if (retried && chance(30)) {
            step.retry(retry());
        }
        if (chance(20)) {
            step.concurrency(1 + random.nextInt(1_000_000));
        } else if (chance(30)) {
            int number = 1 + random.nextInt(1_000);
            if (random.nextBoolean()) {
                step.rateLimit(number, Duration.ofMinutes(1 + random.nextInt(100)));
            } else {
                step.rateLimit(number, Duration.ofMinutes(1 + random.nextInt(100)), path(before));
            }
        }
    }

    private void more(List<String> before, List<String> after) {
        if (chance(30)) {
            builder.skipIf(condition(3, before));
        }
        if (chance(20)) {
            builder.onFailure("h" + helpers);
            after.add("h" + helpers++);
        }
        if (chance(20)) {
            builder.compensate("h" + helpers);
            after.add("h" + helpers++);
        }
    }

    private void helper(String helper) {
        builder.task(helper, activity());
        if (random.nextBoolean()) {
            builder.input(template(2, List.of()));
        }
    }

    private void workflow() {
        if (chance(50)) {
            builder.version(1 + random.nextInt(Integer.MAX_VALUE - 1));
        }
        if (chance(30)) {
            builder.runLimit(1 + random.nextInt(1_000));
        }
        if (chance(30)) {
            builder.idempotencyKey("$.input.key");
        } else if (chance(30)) {
            builder.singleton();
        }
        if (chance(30)) {
            builder.cancelOn(activity(), match(List.of()));
        }
        if (chance(30)) {
            builder.runTimeout(duration());
        }
        if (chance(30)) {
            builder.maxSleep(Duration.ofDays(400 + random.nextInt(400)));
        }
        if (chance(50)) {
            builder.output(template(4, steps));
        }
    }

    private RetryPolicy retry() {
        RetryPolicy policy = RetryPolicy.DEFAULT
                .withMaxAttempts(random.nextInt(5))
                .withBackoffCoefficient(1 + random.nextDouble() * 9)
                .withJitter(random.nextDouble())
                .withNonRetryable("java.io.IOException");
        return random.nextBoolean()
                ? policy
                : policy.withMaxDuration(duration()).withNonRetryable("a.B");
    }

    private Map<String, Object> match(List<String> before) {
        Map<String, Object> match = new LinkedHashMap<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            match.put(pick(List.of("a", "a.b", "a[0]", "a.b c[1].d", "ü")), template(0, before));
        }
        return match;
    }

    private Condition condition(int depth, List<String> before) {
        if (depth > 0 && chance(50)) {
            return switch (random.nextInt(3)) {
                case 0 -> Condition.not(condition(depth - 1, before));
                case 1 -> Condition.any(condition(depth - 1, before), condition(depth - 1, before));
                default -> Condition.all(condition(depth - 1, before), condition(depth - 1, before));
            };
        }
        Condition.Subject subject = Condition.at(path(before));
        return switch (random.nextInt(8)) {
            case 0 -> subject.is(value(2));
            case 1 -> subject.isNot(value(2));
            case 2 -> subject.isIn(List.of(1, "1", true, List.of()));
            case 3 -> subject.exists();
            case 4 -> subject.isMissing();
            case 5 -> subject.isAbove(random.nextLong());
            case 6 -> subject.isAtMost(random.nextDouble());
            default -> subject.isBelow(random.nextInt());
        };
    }

    private String path(List<String> before) {
        String root = before.isEmpty() || random.nextBoolean() ? "$.input" : "$.steps['" + pick(before) + "']";
        return root + pick(List.of("", ".a", ".a.b", "[0]", "['a b'][17]", ".ü", ".😀", ".a?", "['x.y']?"));
    }

    /** Returns random data that contains paths. */
    private Object template(int depth, List<String> before) {
        return depth > 0 && chance(50) ? tree(depth, before) : chance(40) ? path(before) : value(0);
    }

    private Object tree(int depth, List<String> before) {
        if (random.nextBoolean()) {
            List<Object> list = new ArrayList<>();
            for (int i = random.nextInt(4); i > 0; i--) {
                list.add(template(depth - 1, before));
            }
            return list;
        }
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            map.put(pick(TEXTS), template(depth - 1, before));
        }
        return map;
    }

    private Object value(int depth) {
        return switch (random.nextInt(depth > 0 ? 9 : 8)) {
            case 0 -> null;
            case 1 -> random.nextBoolean();
            case 2 -> random.nextInt();
            case 3 -> random.nextLong();
            case 4 -> random.nextDouble() * 1e300;
            case 5 -> new BigInteger(200, random);
            case 6 -> new BigDecimal("0.1000000000000000000000000001");
            case 7 -> pick(TEXTS);
            default -> Collections.singletonList(value(depth - 1));
        };
    }

    private Duration duration() {
        return Duration.ofMillis(1 + random.nextInt(Integer.MAX_VALUE - 1));
    }

    private String activity() {
        return pick(List.of("Mail.welcome", "log", "a b", "ü", "😀", "x".repeat(200)));
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    private <T> T pick(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }
}
