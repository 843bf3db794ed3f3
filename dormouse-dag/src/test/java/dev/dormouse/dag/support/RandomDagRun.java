package dev.dormouse.dag.support;

import dev.dormouse.dag.Dag;
import dev.dormouse.dag.DagBuilder;
import dev.dormouse.dag.data.Condition;
import dev.dormouse.dag.model.StepStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/** A random definition and the expected outcome of its steps, derived without the engine. */
public final class RandomDagRun {
    private final Random random;
    private final DagBuilder builder = Dag.workflow("d");
    private final Map<String, StepStatus> expected = new LinkedHashMap<>();
    private final Map<String, List<String>> after = new LinkedHashMap<>();
    private final Map<String, String> undo = new LinkedHashMap<>();
    private final List<String> badlySkipped = new ArrayList<>();
    private final Dag dag;

    public RandomDagRun(long seed) {
        random = new Random(seed);
        List<String> helpers = new ArrayList<>();
        int number = 2 + random.nextInt(12);
        for (int i = 0; i < number; i++) {
            step("s" + i, helpers);
        }
        helpers.forEach(helper -> task(helper, "work"));
        dag = builder.build();
    }

    public Dag dag() {
        return dag;
    }

    /** Returns the expected status of each step before compensation. */
    public Map<String, StepStatus> expected() {
        return expected;
    }

    public List<String> after(String step) {
        return after.get(step);
    }

    /** Returns the steps with a compensation, and their compensate steps. */
    public Map<String, String> undo() {
        return undo;
    }

    public boolean fails() {
        return expected.containsValue(StepStatus.FAILED);
    }

    private void step(String id, List<String> helpers) {
        List<String> before = expected.keySet().stream()
                .filter(step -> random.nextInt(4) == 0)
                .toList();
        StepStatus own = add(id);
        builder.after(before.toArray(String[]::new));
        boolean skipped = random.nextInt(6) == 0;
        if (skipped) {
            builder.skipIf(Condition.at("$.input.yes").is(true));
        } else if (random.nextInt(6) == 0) {
            builder.skipIf(Condition.at("$.input.yes").isNot(true));
        }
        if (own == StepStatus.FAILED && random.nextInt(3) > 0) {
            builder.onFailure("h-" + id);
            helpers.add("h-" + id);
            own = StepStatus.HANDLED;
        } else if (own == StepStatus.COMPLETED && random.nextBoolean()) {
            builder.compensate("u-" + id);
            helpers.add("u-" + id);
            undo.put(id, "u-" + id);
        }
        boolean held = before.stream().anyMatch(step -> bad(step));
        expected.put(id, held || skipped ? StepStatus.SKIPPED : own);
        after.put(id, before);
        if (held) {
            badlySkipped.add(id);
        }
    }

    private boolean bad(String step) {
        return expected.get(step) == StepStatus.FAILED || badlySkipped.contains(step);
    }

    private StepStatus add(String id) {
        Duration time = Duration.ofMillis(1 + random.nextInt(40_000));
        switch (random.nextInt(8)) {
            case 0 -> builder.sleep(id, time);
            case 1 -> builder.waitForEvent(id, "ev", Map.of("k", "yes"), Duration.ofDays(1));
            case 2 -> builder.waitForEvent(id, "ev", Map.of("k", "no"), time);
            case 3 -> {
                task(id, "break");
                return StepStatus.FAILED;
            }
            case 4 ->
                builder.map(id, "work", "$.input.list")
                        .parallelism(1 + random.nextInt(3))
                        .input(Map.of("id", id, "time", 500, "item", "$.item"));
            default -> task(id, "work");
        }
        return StepStatus.COMPLETED;
    }

    private void task(String id, String activity) {
        int time = random.nextBoolean() ? 0 : random.nextInt(3_000);
        builder.task(id, activity).input(Map.of("id", id, "time", time));
    }

    public static Map<String, Object> input() {
        return Map.of("yes", true, "list", IntStream.range(0, 5).boxed().toList());
    }
}
