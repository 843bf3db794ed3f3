package dev.dormouse.dag.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.dag.Dag;
import dev.dormouse.dag.DagRun;
import dev.dormouse.dag.Dags;
import dev.dormouse.dag.support.DagScenario;
import dev.dormouse.inspect.ListOptions;
import dev.dormouse.inspect.RunDescription;
import dev.dormouse.inspect.RunList;
import dev.dormouse.inspect.RunStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Very many runs at once, on a real store in real time. */
@Timeout(300)
class CrowdTest {
    private static final int STARTERS = 200;

    private static final Dag NAP = Dag.workflow("nap")
            .sleep("pause", "$.input.ms")
            .task("then", "now")
            .input(Map.of())
            .after("pause")
            .build();
    private static final Dag PAID = Dag.workflow("paid")
            .waitForEvent("paid", "order.paid", Map.of("id", "$.input.id", "shop", "north"), Duration.ofDays(1))
            .build();

    @TempDir
    Path folder;

    private interface Story {
        void tell(Dags dags, Dormouse dormouse);
    }

    private void play(Story scenario) {
        Dags dags = Dags.of(NAP, PAID);
        try (Dormouse dormouse = Dormouse.builder()
                .store("sqlite:" + folder.resolve("crowd.db"))
                .activity(
                        "now",
                        Object.class,
                        String.class,
                        input -> Instant.now().toString())
                .plugin(dags)
                .open()) {
            scenario.tell(dags, dormouse);
        }
    }

    private static void inParallel(int times, IntConsumer what) {
        ExecutorService starters = Executors.newFixedThreadPool(STARTERS);
        try {
            CompletableFuture<?>[] all = new CompletableFuture<?>[STARTERS];
            for (int i = 0; i < STARTERS; i++) {
                int first = i;
                all[i] = CompletableFuture.runAsync(
                        () -> {
                            for (int number = first; number < times; number += STARTERS) {
                                what.accept(number);
                            }
                        },
                        starters);
            }
            CompletableFuture.allOf(all).join();
        } finally {
            starters.shutdown();
        }
    }

    @Test
    void oneSleeperAmongManyWakesOnTime() {
        sleep(10_000);
    }

    @Test
    @Tag("long")
    void oneSleeperAmongAHundredThousandWakesOnTime() {
        sleep(100_000);
    }

    private void sleep(int sleepers) {
        play((dags, dormouse) -> {
            Instant begin = Instant.now();
            inParallel(sleepers, i -> dags.start("nap", "nap-" + i, Map.of("ms", 86_400_000)));
            Duration starting = Duration.between(begin, Instant.now());
            Duration worst = Duration.ZERO;
            for (int i = 0; i < 5; i++) {
                DagRun run = dags.start("nap", "short-" + i, Map.of("ms", 1_000));
                Instant wokeAt =
                        Instant.parse(DagScenario.result(run).get("then").toString());
                Instant due = Instant.parse(
                        ((Map<?, ?>) run.state().step("pause").output().orElseThrow())
                                .get("wokeAt")
                                .toString());
                assertThat(wokeAt).isAfterOrEqualTo(due);
                Duration late = Duration.between(due, wokeAt);
                worst = late.compareTo(worst) > 0 ? late : worst;
            }
            System.out.println(sleepers + " DAG runs put to sleep in " + starting.toMillis()
                    + " ms; of 5 more that slept for 1 s the latest woke " + worst.toNanos() / 1_000 + " µs late");
            assertThat(open(dormouse)).hasSize(100);
        });
    }

    private static List<RunDescription> open(Dormouse dormouse) {
        return dormouse.list(ListOptions.ALL.withStatuses(RunStatus.WAITING).withLimit(100))
                .runs();
    }

    @Test
    void oneEventWakesExactlyItsMatchesAmongTenThousand() {
        int waiters = 10_000;
        play((dags, dormouse) -> {
            inParallel(waiters, i -> dags.start("paid", "order-" + i, Map.of("id", i / 2)));
            Map<String, Integer> lengths = awaitWaiting(dormouse, waiters);
            Instant begin = Instant.now();
            dormouse.publish("order.paid", Map.of("id", 2_000, "shop", "north"));
            dormouse.publish("order.paid", Map.of("id", 3_000, "shop", "south"));
            for (String id : List.of("order-4000", "order-4001")) {
                assertThat(DagScenario.result(dags.run(id).orElseThrow()))
                        .isEqualTo(Map.of("paid", Map.of("id", 2_000, "shop", "north")));
            }
            System.out.println("One event found its 2 of " + waiters + " runs in "
                    + Duration.between(begin, Instant.now()).toMillis() + " ms");
            dormouse.publish("order.paid", Map.of("id", 1, "shop", "north"));
            DagScenario.result(dags.run("order-2").orElseThrow()); // by now the others would have been woken too
            int woken = 0;
            for (RunDescription run : all(dormouse)) {
                boolean meant = List.of("order-2", "order-3", "order-4000", "order-4001")
                        .contains(run.workflowId());
                boolean isAsItWas =
                        run.status() == RunStatus.WAITING && lengths.get(run.workflowId()) == run.historyLength();
                assertThat(meant || isAsItWas).as(run.toString()).isTrue();
                woken += meant ? 1 : 0;
            }
            assertThat(woken).isEqualTo(4);
        });
    }

    /** Waits until every run has begun its wait and is only a row. Returns the lengths of their histories. */
    private static Map<String, Integer> awaitWaiting(Dormouse dormouse, int waiters) {
        while (true) {
            List<RunDescription> all = all(dormouse);
            if (all.size() == waiters && all.stream().allMatch(run -> run.status() == RunStatus.WAITING)) {
                return all.stream()
                        .collect(Collectors.toMap(RunDescription::workflowId, RunDescription::historyLength));
            }
            Thread.onSpinWait();
        }
    }

    private static List<RunDescription> all(Dormouse dormouse) {
        List<RunDescription> all = new ArrayList<>();
        ListOptions options = ListOptions.ALL.withWorkflowIdPrefix("order-").withLimit(1_000);
        RunList page = dormouse.list(options);
        all.addAll(page.runs());
        while (page.next().isPresent()) {
            page = dormouse.list(options.withPage(page.next().get()));
            all.addAll(page.runs());
        }
        return all;
    }
}
