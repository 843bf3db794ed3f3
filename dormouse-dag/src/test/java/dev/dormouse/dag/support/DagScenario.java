package dev.dormouse.dag.support;

import dev.dormouse.ActivityOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.RetryPolicy;
import dev.dormouse.dag.Dag;
import dev.dormouse.dag.DagRun;
import dev.dormouse.dag.Dags;
import dev.dormouse.testing.TestDormouse;
import dev.dormouse.testing.TestOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A test scenario: a node with DAGs under simulated time. It has activities for tests: {@code log} records its input
 * with the time, {@code fail} fails, {@code echo} returns its input, {@code double} doubles a number.
 */
public final class DagScenario implements AutoCloseable {
    private final List<String> log = Collections.synchronizedList(new ArrayList<>());
    private final UnaryOperator<DormouseBuilder> more;
    private final Dag[] definitions;
    private final TestDormouse test;
    private Dags dags;

    private DagScenario(TestOptions options, UnaryOperator<DormouseBuilder> more, Dag... definitions) {
        this.more = more;
        this.definitions = definitions;
        this.dags = Dags.of(definitions);
        this.test = TestDormouse.open(options, this::setUp);
    }

    public static DagScenario of(Dag... definitions) {
        return new DagScenario(TestOptions.DEFAULT, builder -> builder, definitions);
    }

    public static DagScenario with(UnaryOperator<DormouseBuilder> more, Dag... definitions) {
        return new DagScenario(TestOptions.DEFAULT, more, definitions);
    }

    /** Runs a scenario with one DAG. */
    public static void play(Dag dag, Consumer<DagScenario> scenario) {
        try (DagScenario opened = of(dag)) {
            scenario.accept(opened);
        }
    }

    private DormouseBuilder setUp(DormouseBuilder builder) {
        dags = Dags.of(definitions);
        return more.apply(builder.activityOptions(ActivityOptions.DEFAULT.withRetry(RetryPolicy.NONE))
                .activity("log", Object.class, Object.class, this::log)
                .activity("echo", Object.class, Object.class, input -> input)
                .activity("double", Integer.class, Integer.class, number -> 2 * number)
                .activity("fail", Object.class, Object.class, input -> {
                    throw new IllegalStateException("no");
                })
                .plugin(dags));
    }

    private @Nullable Object log(@Nullable Object input) {
        log.add(test.elapsed().toMillis() + " " + input);
        return input;
    }

    public Dags dags() {
        return dags;
    }

    public Dormouse dormouse() {
        return test.dormouse();
    }

    public TestDormouse test() {
        return test;
    }

    /** Returns the inputs of {@code log} with their times in milliseconds since the beginning. */
    public List<String> log() {
        return List.copyOf(log);
    }

    public DagRun start(String dag, @Nullable Object input) {
        return dags.start(dag, dag + "-1", input);
    }

    public void advance(Duration time) {
        test.advance(time);
    }

    /** Kills the node as with kill -9 and restarts it. */
    public void crash() {
        test.restart();
    }

    public DagRun find(String workflowId) {
        return dags.run(workflowId).orElseThrow();
    }

    @SuppressWarnings("unchecked") // runs return objects
    public static Map<String, Object> result(DagRun run) {
        return (Map<String, Object>) run.result(Duration.ofDays(1_000));
    }

    @Override
    public void close() {
        test.close();
    }
}
