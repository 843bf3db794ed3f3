package dev.dormouse.chaos.workload;

import dev.dormouse.Activity;
import dev.dormouse.ActivityInfo;
import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.dag.Dag;
import dev.dormouse.dag.Dags;
import java.time.Duration;
import java.util.Map;

/** A DAG for workers: a step, a sleep, and a step. */
public final class SleepingDag {
    private static final String NAME = "nap";

    private SleepingDag() {}

    public static void register(DormouseBuilder builder, WorkerJournal.Writer journal, Duration length) {
        Dag nap = Dag.workflow(NAME)
                .task("a", "note")
                .sleep("pause", length)
                .after("a")
                .task("b", "note")
                .after("pause")
                .build();
        builder.activity("note", Object.class, Object.class, input -> {
                    ActivityInfo info = Activity.info();
                    journal.write(JournalEntry.Kind.BEGAN, info.workflowId(), info.runId(), info.step());
                    return Map.of();
                })
                .plugin(Dags.of(nap));
    }

    public static String start(Dormouse dormouse, String workflowId) {
        dormouse.start("dag:" + NAME, workflowId, Object.class, Map.of());
        return "ok";
    }
}
