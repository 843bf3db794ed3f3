package dev.dormouse.chaos;

import dev.dormouse.Activity;
import dev.dormouse.ActivityInfo;
import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.dag.Dag;
import dev.dormouse.dag.Dags;
import java.time.Duration;
import java.util.Map;

/** A DAG in a worker: a step, a sleep, and a step. */
final class Naps {
    private static final String NAME = "nap";

    private Naps() {}

    static void register(DormouseBuilder builder, Journal.Writer journal, Duration length) {
        Dag nap = Dag.workflow(NAME)
                .task("a", "note")
                .sleep("pause", length)
                .after("a")
                .task("b", "note")
                .after("pause")
                .build();
        builder.activity("note", Object.class, Object.class, input -> {
                    ActivityInfo info = Activity.info();
                    journal.write(Deed.Kind.BEGAN, info.workflowId(), info.runId(), info.step());
                    return Map.of();
                })
                .with(Dags.of(nap));
    }

    static String start(Dormouse dormouse, String workflowId) {
        dormouse.start("dag:" + NAME, workflowId, Object.class, Map.of());
        return "ok";
    }
}
