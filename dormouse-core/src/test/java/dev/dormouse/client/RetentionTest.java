package dev.dormouse.client;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.inspect.ListOptions;
import dev.dormouse.inspect.RunDescription;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Deletion of closed runs at the end of their retention. */
class RetentionTest {
    private static final Duration DAY = Duration.ofDays(1);

    private static DormouseBuilder naps(DormouseBuilder builder) {
        return builder.sweepInterval(Duration.ofMinutes(5))
                .workflow("nap", String.class, String.class, (ctx, length) -> {
                    ctx.sleep(Duration.parse(length));
                    return "done";
                });
    }

    @Test
    void closedRunsAreKeptForTheirTimeAndThenGone() {
        simulate(sim -> {
            Dormouse node = sim.open(builder -> naps(builder).retention(DAY));
            for (int i = 0; i < 300; i++) {
                node.start("nap", "short-" + i, String.class, "PT1S");
            }
            WorkflowHandle<String> open = node.start("nap", "long", String.class, "P3D");
            sim.advance(DAY.minusHours(1));
            assertThat(node.find("short-0", String.class)).isPresent();
            sim.advance(Duration.ofHours(2));
            assertThat(node.list(ListOptions.ALL).runs())
                    .extracting(RunDescription::workflowId)
                    .containsExactly("long");
            assertThat(sim.store().histories(0, List.of(open.runId()))).isNotEmpty();
            assertThat(sim.result(open)).isEqualTo("done");
        });
    }

    @Test
    void nodeThatKeepsClosedRunsDeletesNothing() {
        simulate(sim -> {
            Dormouse node = sim.open(builder -> naps(builder).retention(DAY).keepClosedRuns());
            WorkflowHandle<String> handle = node.start("nap", "short", String.class, "PT1S");
            sim.advance(Duration.ofDays(3));
            assertThat(sim.result(handle)).isEqualTo("done");
        });
    }

    @Test
    void defaultIsThirtyDaysOnANodeWithWorkflowsAndForeverOnOneWithout() {
        simulate(sim -> {
            Dormouse first = sim.open(RetentionTest::naps);
            first.start("nap", "short", String.class, "PT1S");
            sim.advance(DAY);
            first.close();
            Dormouse client = sim.openPlain(builder -> builder.sweepInterval(Duration.ofMinutes(5)));
            sim.advance(DAY.multipliedBy(31));
            assertThat(client.find("short", String.class)).isPresent();
            Dormouse node = sim.openPlain(RetentionTest::naps);
            node.start("nap", "later", String.class, "PT1S");
            sim.advance(DAY);
            assertThat(node.find("short", String.class)).isEmpty();
            assertThat(node.find("later", String.class)).isPresent();
        });
    }

    @Test
    void defaultIsThirtyDaysOnANodeWhoseActivitiesAreFunctions() {
        simulate(sim -> {
            Dormouse first = sim.open(RetentionTest::naps);
            first.start("nap", "short", String.class, "PT1S");
            sim.advance(DAY);
            first.close();
            Dormouse node = sim.openPlain(builder -> builder.activity("echo", String.class, String.class, text -> text)
                    .sweepInterval(Duration.ofMinutes(5)));
            sim.advance(DAY.multipliedBy(31));
            assertThat(node.find("short", String.class)).isEmpty();
        });
    }

    @Test
    void manyOldRunsAreDeletedInShortBatchesWithRestsInBetween() {
        simulate(sim -> {
            Dormouse node = sim.open(RetentionTest::naps);
            for (int i = 0; i < 300; i++) {
                node.start("nap", "old-" + i, String.class, "PT1S");
            }
            sim.advance(DAY.multipliedBy(2));
            node.close();
            Dormouse upgraded = sim.open(builder -> naps(builder).retention(DAY));
            sim.advance(Duration.ofMinutes(9).plusSeconds(50));
            Set<Integer> left = new LinkedHashSet<>();
            for (int i = 0; i < 1_000; i++) {
                left.add(upgraded.list(ListOptions.ALL.withLimit(1_000)).runs().size());
                sim.advance(Duration.ofMillis(20));
            }
            assertThat(left).hasSizeGreaterThan(3).startsWith(300).endsWith(0);
        });
    }

    @Test
    void workflowIdIsFreeAgainAfterThePurge() {
        simulate(sim -> {
            Dormouse node = sim.open(builder -> naps(builder).retention(DAY));
            WorkflowHandle<String> first = node.start("nap", "id", String.class, "PT1S");
            sim.advance(DAY.multipliedBy(2));
            WorkflowHandle<String> second = node.start("nap", "id", String.class, "PT1S");
            assertThat(second.runId()).isNotEqualTo(first.runId());
            assertThat(sim.result(second)).isEqualTo("done");
        });
    }
}
