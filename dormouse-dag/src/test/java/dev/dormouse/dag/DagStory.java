package dev.dormouse.dag;

import dev.dormouse.ActivityOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.RetryPolicy;
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
 * A node with DAGs under simulated time, and activities to play with: {@code log} writes its input down with the time,
 * {@code fail} fails, {@code echo} returns its input, {@code double} doubles a number.
 */
final class DagStory implements AutoCloseable {
    private final List<String> log = Collections.synchronizedList(new ArrayList<>());
    private final UnaryOperator<DormouseBuilder> more;
    private final Dag[] definitions;
    private final TestDormouse test;
    private Dags dags;

    private DagStory(TestOptions options, UnaryOperator<DormouseBuilder> more, Dag... definitions) {
        this.more = more;
        this.definitions = definitions;
        this.dags = Dags.of(definitions);
        this.test = TestDormouse.open(options, this::setUp);
    }

    static DagStory of(Dag... definitions) {
        return new DagStory(TestOptions.DEFAULT, builder -> builder, definitions);
    }

    static DagStory with(UnaryOperator<DormouseBuilder> more, Dag... definitions) {
        return new DagStory(TestOptions.DEFAULT, more, definitions);
    }

    /** Plays a story with one DAG. */
    static void play(Dag dag, Consumer<DagStory> story) {
        try (DagStory opened = of(dag)) {
            story.accept(opened);
        }
    }

    private DormouseBuilder setUp(DormouseBuilder builder) {
        dags = Dags.of(definitions);
        return more.apply(builder.activityOptions(ActivityOptions.DEFAULT.retry(RetryPolicy.NONE))
                .activity("log", Object.class, Object.class, this::log)
                .activity("echo", Object.class, Object.class, input -> input)
                .activity("double", Integer.class, Integer.class, number -> 2 * number)
                .activity("fail", Object.class, Object.class, input -> {
                    throw new IllegalStateException("no");
                })
                .with(dags));
    }

    private @Nullable Object log(@Nullable Object input) {
        log.add(test.elapsed().toMillis() + " " + input);
        return input;
    }

    Dags dags() {
        return dags;
    }

    Dormouse dormouse() {
        return test.dormouse();
    }

    TestDormouse test() {
        return test;
    }

    /** What {@code log} was called with, and when, in milliseconds from the beginning. */
    List<String> log() {
        return List.copyOf(log);
    }

    DagRun start(String dag, @Nullable Object input) {
        return dags.start(dag, dag + "-1", input);
    }

    void advance(Duration time) {
        test.advance(time);
    }

    /** As after kill -9. */
    void crash() {
        test.restart();
    }

    DagRun find(String workflowId) {
        return dags.run(workflowId).orElseThrow();
    }

    @SuppressWarnings("unchecked") // runs return objects
    static Map<String, Object> result(DagRun run) {
        return (Map<String, Object>) run.result(Duration.ofDays(1_000));
    }

    @Override
    public void close() {
        test.close();
    }
}
