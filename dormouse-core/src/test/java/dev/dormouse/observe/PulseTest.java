package dev.dormouse.observe;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.StartOptions;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.inspect.Count;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.Statistics;
import dev.dormouse.inspect.Statistics.DueKind;
import dev.dormouse.inspect.UpcomingOptions;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Append;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.Fence;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.timer.TimerId;
import dev.dormouse.timer.TimerOptions;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The data of the dashboard, in simulated time. */
class PulseTest {
    private static final Duration SECONDS = Duration.ofSeconds(3);
    private static final Duration QUARTER = Duration.ofMinutes(15);

    private static DormouseBuilder code(DormouseBuilder builder) {
        return builder.workflow("step", String.class, String.class, (ctx, in) -> ctx.step("a", String.class, () -> in))
                .workflow("bad", String.class, String.class, (ctx, in) -> {
                    throw new IllegalStateException("bad");
                })
                .workflow("nap", String.class, String.class, (ctx, in) -> {
                    ctx.sleep(Duration.ofHours(1));
                    return in;
                })
                .workflow("doze", String.class, String.class, (ctx, in) -> {
                    ctx.sleep(Duration.ofSeconds(2));
                    return in;
                });
    }

    private static LongStream sums(Statistics.Throughput throughput) {
        return LongStream.of(
                throughput.slots().stream().mapToLong(Statistics.Slot::started).sum(),
                throughput.slots().stream()
                        .mapToLong(Statistics.Slot::completed)
                        .sum(),
                throughput.slots().stream().mapToLong(Statistics.Slot::failed).sum(),
                throughput.slots().stream().mapToLong(Statistics.Slot::closed).sum(),
                throughput.slots().stream().mapToLong(Statistics.Slot::steps).sum(),
                throughput.slots().stream().mapToLong(Statistics.Slot::fired).sum());
    }

    @Test
    void whatHappenedOnAllNodesIsAddedUp() {
        simulate(sim -> {
            Dormouse one = sim.open(PulseTest::code);
            Dormouse other = sim.open(PulseTest::code);
            sim.result(one.start("step", "a", String.class, "x"));
            sim.result(other.start("step", "b", String.class, "x"));
            one.start("bad", "c", String.class, "x");
            other.start("nap", "d", String.class, "x");
            sim.result(one.start("doze", "e", String.class, "x"));
            other.start("nap", "f", String.class, "x").terminate("enough");
            sim.advance(SECONDS);
            Statistics.Throughput quarter = one.statistics().throughput(QUARTER);
            assertThat(quarter.slotLength()).isEqualTo(Duration.ofSeconds(10));
            assertThat(quarter.slots()).hasSize(90);
            assertThat(sums(quarter)).containsExactly(6L, 3L, 1L, 1L, 2L, 1L);
            Statistics.Overview overview = other.statistics().overview(ZoneOffset.UTC);
            assertThat(overview.completedToday()).isEqualTo(Count.exactly(3));
            assertThat(overview.failed()).isEqualTo(Count.exactly(1));
            assertThat(overview.waiting()).isEqualTo(Count.exactly(1));
            assertThat(overview.running()).isEqualTo(Count.NONE);
            assertThat(overview.overdue()).isEqualTo(Count.NONE);
            assertThat(overview.latenessP99()).isPresent();
        });
    }

    @Test
    void nodeThatClosesTakesNothingWithIt() {
        simulate(sim -> {
            Dormouse one = sim.open(PulseTest::code);
            Dormouse other = sim.open(PulseTest::code);
            sim.result(one.start("step", "a", String.class, "x"));
            one.close();
            assertThat(sums(other.statistics().throughput(QUARTER))).containsExactly(1L, 1L, 0L, 0L, 1L, 0L);
            assertThat(other.statistics().nodes()).hasSize(1);
        });
    }

    @Test
    void longerSpansAreMadeOfLongerSlots() {
        simulate(sim -> {
            Dormouse one = sim.open(PulseTest::code);
            for (int i = 0; i < 3; i++) {
                sim.result(one.start("step", "a" + i, String.class, "x"));
                sim.advance(Duration.ofHours(1));
            }
            Statistics.Throughput day = one.statistics().throughput(Duration.ofDays(1));
            assertThat(day.slotLength()).isEqualTo(Duration.ofMinutes(5));
            assertThat(day.slots()).hasSize(288);
            assertThat(sums(day)).containsExactly(3L, 3L, 0L, 0L, 3L, 0L);
            assertThat(sums(one.statistics().throughput(QUARTER)).sum()).isZero();
        });
    }

    @Test
    void shortSlotsAreForgottenAfterTwoHoursAndLongOnesAfterEightDays() {
        simulate(sim -> {
            Dormouse one = sim.open(PulseTest::code);
            sim.result(one.start("step", "a", String.class, "x"));
            sim.advance(Duration.ofHours(3));
            sim.result(one.start("step", "b", String.class, "x"));
            sim.advance(SECONDS);
            assertThat(sim.store()
                            .pages()
                            .tallies(0, Duration.ofSeconds(10), sim.now().minus(Duration.ofDays(9)), sim.now()))
                    .hasSize(1);
            assertThat(sim.store()
                            .pages()
                            .tallies(0, Duration.ofMinutes(5), sim.now().minus(Duration.ofDays(9)), sim.now()))
                    .hasSize(2);
        });
    }

    @Test
    void allKindsOfWaitingAreInOneList() {
        simulate(sim -> {
            Dormouse one = sim.open(PulseTest::code);
            one.timers().handle("ring", String.class, text -> {});
            one.timers().after(Duration.ofMinutes(30), "ring", TimerOptions.DEFAULT.withId("t"), "x");
            one.start("nap", "n", String.class, "x");
            one.start("step", "s", StartOptions.DEFAULT.withStartDelay(Duration.ofMinutes(90)), String.class, "x");
            sim.advance(SECONDS);
            Statistics.Upcoming page = one.statistics().upcoming(UpcomingOptions.ALL);
            assertThat(page.items()).extracting(Statistics.Due::id).containsExactly("t", "n", "s");
            assertThat(page.items())
                    .extracting(Statistics.Due::kind)
                    .containsExactly(DueKind.TIMER, DueKind.SLEEP, DueKind.START);
            assertThat(page.items()).extracting(Statistics.Due::name).containsExactly("ring", "nap", "step");
            assertThat(page.next()).isEmpty();
            Statistics.Upcoming first = one.statistics().upcoming(UpcomingOptions.ALL.withLimit(2));
            Statistics.Upcoming second = one.statistics()
                    .upcoming(UpcomingOptions.ALL
                            .withLimit(2)
                            .withPage(first.next().orElseThrow()));
            assertThat(second.items()).extracting(Statistics.Due::id).containsExactly("s");
            assertThat(one.statistics()
                            .upcoming(UpcomingOptions.ALL.withKinds(DueKind.TIMER))
                            .items())
                    .hasSize(1);
            Statistics.Histogram hour = one.statistics().histogram(Statistics.Span.HOUR);
            assertThat(hour.buckets()).hasSize(60);
            assertThat(hour.total()).isEqualTo(Count.exactly(2));
            assertThat(one.statistics().histogram(Statistics.Span.ALL).total()).isEqualTo(Count.exactly(3));
        });
    }

    @Test
    void unservedWorkIsOverdue() {
        simulate(sim -> {
            Dormouse one = sim.open(builder -> code(builder).remoteWorkflow("elsewhere"));
            one.start("elsewhere", "a", String.class, "x");
            sim.advance(Duration.ofMinutes(1));
            assertThat(one.statistics().overview(ZoneOffset.UTC).overdue()).isEqualTo(Count.exactly(1));
            assertThat(one.statistics().upcoming(UpcomingOptions.ALL).items())
                    .extracting(Statistics.Due::overdue)
                    .containsExactly(true);
        });
    }

    @Test
    void nodesSayHowTheyAre() {
        simulate(sim -> {
            Dormouse one = sim.open(builder -> code(builder).name("first").maxExecuting(64));
            Dormouse other = sim.open(builder -> code(builder)
                    .name("second")
                    .workflow(
                            "long",
                            String.class,
                            String.class,
                            (ctx, in) -> ctx.step("s", String.class, () -> {
                                sim.advance(Duration.ofHours(1));
                                return in;
                            })));
            other.start("long", "l", String.class, "x");
            sim.advance(SECONDS);
            List<Statistics.NodeInfo> nodes = one.statistics().nodes();
            assertThat(nodes).extracting(Statistics.NodeInfo::name).containsExactlyInAnyOrder("first", "second");
            assertThat(second(one).executing()).isEqualTo(1);
            assertThat(nodes).allMatch(Statistics.NodeInfo::alive);
            assertThat(nodes).noneMatch(Statistics.NodeInfo::silent);
            sim.kill(other);
            sim.advance(Duration.ofSeconds(20));
            assertThat(second(one).alive()).isTrue();
            assertThat(second(one).silent()).isTrue();
            sim.advance(Duration.ofMinutes(2));
            assertThat(second(one).alive()).isFalse();
            assertThat(second(one).silent()).isFalse();
            sim.advance(Duration.ofHours(2));
            assertThat(one.statistics().nodes())
                    .extracting(Statistics.NodeInfo::name)
                    .containsExactly("first");
            assertThat(sim.store().nodes(0)).hasSize(2);
            sim.advance(Duration.ofHours(22));
            sim.result(one.start("step", "s", String.class, "x"));
            sim.advance(SECONDS);
            assertThat(sim.store().nodes(0)).hasSize(1);
        });
    }

    @Test
    void whatWaitsInMemoryIsListedWithItsDeadline() {
        simulate(sim -> {
            Dormouse node = sim.open(PulseTest::code);
            WorkflowHandle<String> handle = node.start("doze", "a", String.class, "x");
            sim.awaitStatus(handle, RunStatus.PARKED);
            Instant started = sim.now();
            assertThat(node.statistics().upcoming(UpcomingOptions.ALL).items())
                    .singleElement()
                    .satisfies(due -> {
                        assertThat(due.kind()).isEqualTo(DueKind.SLEEP);
                        assertThat(due.fireAt()).isBetween(started.plusSeconds(1), started.plusSeconds(3));
                        assertThat(due.overdue()).isFalse();
                    });
        });
    }

    @Test
    void timerThatIsHeldBackAfterItsNodeDiedIsListed() {
        simulate(sim -> {
            Dormouse node = sim.open(PulseTest::code);
            TimerId id = node.timers().after(Duration.ofHours(1), "ring", "x");
            UUID runId = sim.store()
                    .current(0, id.toString())
                    .or(() -> sim.store().current(0, "!" + id))
                    .orElseThrow()
                    .runId();
            RunRow row = sim.store().run(0, runId).orElseThrow();
            sim.store()
                    .commit(
                            0,
                            List.of(new Commit(
                                    runId,
                                    Fence.of(row.lease(), row.nextSeq()),
                                    Append.nothing(row.checksum()),
                                    row.consumed(),
                                    NextState.pending(new Alarm.In(SECONDS), WakeReason.BACKOFF),
                                    List.of())));
            assertThat(node.statistics().upcoming(UpcomingOptions.ALL).items())
                    .singleElement()
                    .satisfies(due -> {
                        assertThat(due.kind()).isEqualTo(DueKind.TIMER);
                        assertThat(due.overdue()).isTrue();
                    });
        });
    }

    private static Statistics.NodeInfo second(Dormouse asked) {
        return asked.statistics().nodes().stream()
                .filter(node -> node.name().equals("second"))
                .findFirst()
                .orElseThrow();
    }
}
