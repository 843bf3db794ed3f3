package dev.dormouse.replay;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.StartOptions;
import dev.dormouse.WorkflowContext;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.WorkflowInfo;
import dev.dormouse.inspect.HistoryEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Values that workflow code reads, which are the same in each replay. */
class DeterminismTest {
    private static final Duration HOUR = Duration.ofHours(1);

    /** Code with a few waits, which reports at six places. Each long sleep causes a full replay. */
    private static DormouseBuilder reporter(DormouseBuilder builder, BiConsumer<Integer, WorkflowContext> report) {
        return builder.workflow("reporter", String.class, String.class, (ctx, input) -> {
            report.accept(0, ctx);
            ctx.step("one", String.class, () -> "1");
            report.accept(1, ctx);
            ctx.sleep(HOUR);
            report.accept(2, ctx);
            ctx.sleep(Duration.ofSeconds(2));
            report.accept(3, ctx);
            ctx.step("two", String.class, () -> "2");
            report.accept(4, ctx);
            ctx.sleep(HOUR);
            report.accept(5, ctx);
            return "done";
        });
    }

    @Test
    void nowNeverGoesBackAndIsTheSameInReplay() {
        simulate(sim -> {
            List<List<Instant>> seen = new ArrayList<>();
            Dormouse dormouse = sim.open(node -> reporter(node, (place, ctx) -> {
                if (place == 0) {
                    seen.add(new ArrayList<>());
                }
                List<Instant> last = seen.get(seen.size() - 1);
                last.add(ctx.now());
                assertThat(ctx.now()).isBeforeOrEqualTo(sim.now().plusSeconds(1));
            }));
            sim.result(dormouse.start("reporter", "r", String.class, ""));
            List<Instant> whole = seen.get(seen.size() - 1);
            assertThat(seen).hasSizeGreaterThanOrEqualTo(3);
            assertThat(whole).hasSize(6).isSorted();
            assertThat(seen).allSatisfy(part -> assertThat(whole).startsWith(part.toArray(new Instant[0])));
        });
    }

    @Test
    void nowStandsStillWhileTheCodeOnlyComputes() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(builder -> builder.workflow("w", String.class, Boolean.class, (ctx, input) -> {
                Instant before = ctx.now();
                sim.advance(Duration.ofSeconds(2));
                return before.equals(ctx.now());
            }));
            assertThat(sim.result(dormouse.start("w", "w", Boolean.class, ""))).isTrue();
        });
    }

    @Test
    void nowMovesForwardEvenWhenTheClockOfTheStoreIsSetBack() {
        simulate(sim -> {
            List<Instant> seen = new ArrayList<>();
            Dormouse dormouse = sim.open(builder -> builder.workflow("w", String.class, String.class, (ctx, input) -> {
                seen.clear();
                for (int i = 0; i < 10; i++) {
                    seen.add(ctx.now());
                    ctx.step("s" + i, () -> sim.stepClock(Duration.ofMillis(-300)));
                    ctx.sleep(Duration.ofMillis(100));
                }
                seen.add(ctx.now());
                return "done";
            }));
            WorkflowHandle<String> handle = dormouse.start("w", "w", String.class, "");
            sim.result(handle);
            assertThat(seen).hasSize(11).isSorted();
            assertThat(handle.history()).extracting(HistoryEvent::at).isSorted();
        });
    }

    @Test
    void randomUuidsAreTheSameInReplayAndAllDifferentOtherwise() {
        simulate(sim -> {
            Map<String, List<List<UUID>>> seen = new java.util.HashMap<>();
            Dormouse dormouse = sim.open(node -> reporter(node, (place, ctx) -> {
                List<List<UUID>> runs = seen.computeIfAbsent(ctx.info().workflowId(), id -> new ArrayList<>());
                if (place == 0) {
                    runs.add(new ArrayList<>());
                }
                runs.get(runs.size() - 1).add(ctx.randomUuid());
            }));
            Set<UUID> all = new HashSet<>();
            for (String id : List.of("a", "b", "c")) {
                sim.result(dormouse.start("reporter", id, String.class, ""));
                List<List<UUID>> runs = seen.get(id);
                List<UUID> whole = runs.get(runs.size() - 1);
                assertThat(whole).hasSize(6).allMatch(uuid -> uuid.version() == 4 && uuid.variant() == 2);
                assertThat(runs).allSatisfy(part -> assertThat(whole).startsWith(part.toArray(new UUID[0])));
                all.addAll(whole);
            }
            assertThat(all).hasSize(18);
        });
    }

    @Test
    void loggerIsSilentInReplay() {
        ch.qos.logback.classic.Logger logger =
                (ch.qos.logback.classic.Logger) LoggerFactory.getLogger("dev.dormouse.workflow.reporter");
        ListAppender<ILoggingEvent> appender = new ListAppender<>();
        appender.start();
        Level before = logger.getLevel();
        logger.setLevel(Level.INFO);
        logger.setAdditive(false);
        logger.addAppender(appender);
        try {
            simulate(sim -> {
                appender.list.clear();
                Dormouse one = sim.open(
                        node -> reporter(node, (place, ctx) -> ctx.logger().info("at {}", place)));
                WorkflowHandle<String> handle = one.start("reporter", "r", String.class, "");
                sim.advance(HOUR.dividedBy(2));
                sim.kill(one);
                Dormouse other = sim.open(
                        node -> reporter(node, (place, ctx) -> ctx.logger().info("at {}", place)));
                sim.result(other.find("r", String.class).orElseThrow());
                assertThat(appender.list)
                        .extracting(ILoggingEvent::getFormattedMessage)
                        .containsExactly("at 0", "at 1", "at 2", "at 3", "at 4", "at 5");
                assertThat(handle.workflowId()).isEqualTo("r");
            });
        } finally {
            logger.detachAppender(appender);
            logger.setLevel(before);
            logger.setAdditive(true);
        }
    }

    @Test
    void infoReturnsTheIdentityOfTheRunAndWhetherItIsReplaying() {
        simulate(sim -> {
            List<WorkflowInfo> seen = new ArrayList<>();
            Dormouse dormouse = sim.open(node -> reporter(node, (place, ctx) -> seen.add(ctx.info())));
            StartOptions options = StartOptions.DEFAULT.withMemo("for", "ada");
            WorkflowHandle<String> handle = dormouse.start("reporter", "r", options, String.class, "");
            sim.result(handle);
            assertThat(seen).allSatisfy(info -> {
                assertThat(info.workflowId()).isEqualTo("r");
                assertThat(info.runId()).isEqualTo(handle.runId());
                assertThat(info.type()).isEqualTo("reporter");
                assertThat(info.memo()).containsOnly(Map.entry("for", "ada"));
                assertThat(info.deadline()).isEmpty();
                assertThat(info.startedAt()).isEqualTo(seen.get(0).startedAt());
            });
            assertThat(seen.get(0).isReplaying()).isFalse();
            assertThat(seen.get(2).isReplaying()).isTrue();
            assertThat(seen.get(seen.size() - 1).isReplaying()).isFalse();
        });
    }
}
