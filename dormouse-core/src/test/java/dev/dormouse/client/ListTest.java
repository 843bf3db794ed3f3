package dev.dormouse.client;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.inspect.ListOptions;
import dev.dormouse.inspect.RunList;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Lists of runs. */
class ListTest {
    private static Dormouse open(SimulatedDormouse sim) {
        return sim.open(node -> node.workflow("quick", String.class, String.class, (ctx, in) -> in)
                .workflow("slow", String.class, String.class, (ctx, in) -> {
                    ctx.sleep(Duration.ofHours(1));
                    return in;
                })
                .workflow("bad", String.class, String.class, (ctx, in) -> {
                    throw new IllegalStateException();
                }));
    }

    private static Dormouse withRuns(SimulatedDormouse sim) {
        Dormouse dormouse = open(sim);
        for (int i = 0; i < 10; i++) {
            for (String type : List.of("quick", "slow", "bad")) {
                dormouse.start(type, type + "-" + i, String.class, "");
                sim.advance(Duration.ofMillis(5));
            }
        }
        sim.advance(Duration.ofSeconds(1));
        return dormouse;
    }

    private static List<String> all(Dormouse dormouse, ListOptions options) {
        List<String> ids = new ArrayList<>();
        RunList page = dormouse.list(options);
        page.runs().forEach(run -> ids.add(run.workflowId()));
        for (Optional<String> next = page.next(); next.isPresent(); next = page.next()) {
            page = dormouse.list(options.withPage(next.get()));
            assertThat(page.runs()).hasSizeLessThanOrEqualTo(options.limit());
            page.runs().forEach(run -> ids.add(run.workflowId()));
        }
        return ids;
    }

    private static List<String> newestFirst(String... types) {
        List<String> ids = new ArrayList<>();
        for (int i = 9; i >= 0; i--) {
            for (int t = types.length - 1; t >= 0; t--) {
                ids.add(types[t] + "-" + i);
            }
        }
        return ids;
    }

    @Test
    void runsAreListedNewestFirst() {
        simulate(sim -> {
            Dormouse dormouse = withRuns(sim);
            assertThat(all(dormouse, ListOptions.ALL)).isEqualTo(newestFirst("quick", "slow", "bad"));
        });
    }

    @Test
    void pagesOfAnySizeShowEveryRunOnce() {
        simulate(sim -> {
            Dormouse dormouse = withRuns(sim);
            for (int limit : new int[] {1, 2, 7, 29, 30, 31, 1_000}) {
                assertThat(all(dormouse, ListOptions.ALL.withLimit(limit)))
                        .isEqualTo(newestFirst("quick", "slow", "bad"));
            }
        });
    }

    @Test
    void filtersMayBeCombined() {
        simulate(sim -> {
            Dormouse dormouse = withRuns(sim);
            assertThat(all(dormouse, ListOptions.ALL.withType("slow"))).isEqualTo(newestFirst("slow"));
            assertThat(all(dormouse, ListOptions.ALL.withType("none"))).isEmpty();
            assertThat(all(
                            dormouse,
                            ListOptions.ALL.withStatuses(RunStatus.FAILED).withLimit(3)))
                    .isEqualTo(newestFirst("bad"));
            assertThat(all(dormouse, ListOptions.ALL.withStatuses(RunStatus.FAILED, RunStatus.COMPLETED)))
                    .isEqualTo(newestFirst("quick", "bad"));
            assertThat(all(dormouse, ListOptions.ALL.withStatuses(RunStatus.STUCK)))
                    .isEmpty();
            assertThat(all(dormouse, ListOptions.ALL.withType("quick").withStatuses(RunStatus.FAILED)))
                    .isEmpty();
            assertThat(all(
                            dormouse,
                            ListOptions.ALL.withWorkflowIdPrefix("slow-").withLimit(4)))
                    .isEqualTo(IntStream.range(0, 10).mapToObj(i -> "slow-" + i).toList());
            assertThat(all(
                            dormouse,
                            ListOptions.ALL.withWorkflowIdPrefix("slow-").withType("quick")))
                    .isEmpty();
            assertThat(all(dormouse, ListOptions.ALL.withWorkflowIdPrefix("slow-7")))
                    .containsExactly("slow-7");
        });
    }

    @Test
    void pagesStayWholeWhileRunsAreAdded() {
        simulate(sim -> {
            Dormouse dormouse = withRuns(sim);
            List<String> seen = new ArrayList<>();
            ListOptions options = ListOptions.ALL.withLimit(4);
            RunList page = dormouse.list(options);
            page.runs().forEach(run -> seen.add(run.workflowId()));
            for (int i = 0; page.next().isPresent(); i++) {
                dormouse.start("quick", "new-" + i, String.class, "");
                sim.advance(Duration.ofMillis(5));
                page = dormouse.list(options.withPage(page.next().get()));
                page.runs().forEach(run -> seen.add(run.workflowId()));
            }
            assertThat(seen).isEqualTo(newestFirst("quick", "slow", "bad"));
        });
    }

    @Test
    void severalShardsAreListedWhole() {
        simulate(4, sim -> {
            Dormouse dormouse = withRuns(sim);
            assertThat(all(dormouse, ListOptions.ALL.withLimit(3)))
                    .containsExactlyInAnyOrderElementsOf(newestFirst("quick", "slow", "bad"));
        });
    }

    @Test
    void emptyStoreHasAnEmptyList() {
        simulate(
                sim -> assertThat(open(sim).list(ListOptions.ALL)).isEqualTo(new RunList(List.of(), Optional.empty())));
    }
}
