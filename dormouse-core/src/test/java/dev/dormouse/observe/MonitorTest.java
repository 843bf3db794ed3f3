package dev.dormouse.observe;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.ActivityOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.inspect.Monitor;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.Statistics;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Notifications of monitors, which follow the event that they report. */
class MonitorTest {

    /** A monitor that records all notifications. */
    private static final class Notes implements Monitor {
        private final List<Object> all = new CopyOnWriteArrayList<>();

        <T> List<T> of(Class<T> type) {
            return all.stream().filter(type::isInstance).map(type::cast).toList();
        }

        @Override
        public void runStarted(RunStarted event) {
            all.add(event);
        }

        @Override
        public void runClosed(RunClosed event) {
            all.add(event);
        }

        @Override
        public void stepEnded(StepEnded event) {
            all.add(event);
        }

        @Override
        public void timerFired(TimerFired event) {
            all.add(event);
        }

        @Override
        public void replayed(Replayed event) {
            all.add(event);
        }

        @Override
        public void batchSent(BatchSent event) {
            all.add(event);
        }

        @Override
        public void takenOver(TakenOver event) {
            all.add(event);
        }
    }

    @Test
    void monitorsSeeTheWholeLifeOfARun() {
        simulate(sim -> {
            Notes notes = new Notes();
            AtomicInteger tries = new AtomicInteger();
            Dormouse node = sim.open(builder -> builder.monitor(notes)
                    .activityOptions(ActivityOptions.DEFAULT)
                    .workflow("w", String.class, String.class, (ctx, in) -> {
                        ctx.step("first", () -> sim.advance(Duration.ofMillis(200)));
                        ctx.step("second", () -> {
                            if (tries.incrementAndGet() == 1) {
                                throw new IllegalStateException("not yet");
                            }
                        });
                        ctx.sleep(Duration.ofSeconds(2));
                        ctx.sleep(Duration.ofHours(1));
                        return in;
                    }));
            WorkflowHandle<String> handle = node.start("w", "id", String.class, "x");
            sim.result(handle);
            sim.advance(Duration.ofSeconds(1));
            assertThat(notes.of(Monitor.RunStarted.class))
                    .extracting(Monitor.RunStarted::runId)
                    .containsExactly(handle.runId());
            List<Monitor.StepEnded> steps = notes.of(Monitor.StepEnded.class);
            assertThat(steps).extracting(Monitor.StepEnded::step).containsExactly("first", "second", "second");
            assertThat(steps).extracting(Monitor.StepEnded::attempt).containsExactly(1, 1, 2);
            assertThat(steps.get(0).took()).isBetween(Duration.ofMillis(190), Duration.ofMillis(250));
            assertThat(steps.get(1).failure()).contains("not yet");
            assertThat(steps.get(2).failure()).isNull();
            List<Monitor.TimerFired> fired = notes.of(Monitor.TimerFired.class);
            assertThat(fired)
                    .extracting(Monitor.TimerFired::reason)
                    .containsExactly(WakeReason.RETRY, WakeReason.TIMER, WakeReason.TIMER);
            assertThat(fired).allMatch(timer -> timer.late().compareTo(Duration.ofSeconds(1)) < 0);
            List<Monitor.RunClosed> closed = notes.of(Monitor.RunClosed.class);
            assertThat(closed).extracting(Monitor.RunClosed::status).containsExactly(RunStatus.COMPLETED);
            assertThat(closed.get(0).open()).isBetween(Duration.ofHours(1), Duration.ofMinutes(61));
            assertThat(notes.of(Monitor.Replayed.class)).isNotEmpty();
            assertThat(notes.of(Monitor.BatchSent.class)).isNotEmpty();
        });
    }

    @Test
    void takeoverIsReportedToMonitors() {
        simulate(sim -> {
            Notes notes = new Notes();
            Dormouse first = sim.open(builder -> builder.workflow(
                    "w",
                    String.class,
                    String.class,
                    (ctx, in) -> ctx.step("s", String.class, () -> {
                        sim.advance(Duration.ofHours(1));
                        return in;
                    })));
            WorkflowHandle<String> handle = first.start("w", "id", String.class, "x");
            sim.advance(Duration.ofSeconds(1));
            String owner = handle.describe().node();
            sim.kill(first);
            Dormouse second = sim.open(builder -> builder.monitor(notes)
                    .workflow("w", String.class, String.class, (ctx, in) -> ctx.step("s", String.class, () -> in)));
            sim.result(second.<String>find("id", String.class).orElseThrow());
            sim.advance(Duration.ofSeconds(2));
            List<Monitor.TakenOver> takeovers = notes.of(Monitor.TakenOver.class);
            assertThat(takeovers).hasSize(1);
            assertThat(takeovers.get(0).previousOwner()).isEqualTo(owner);
            assertThat(takeovers.get(0).runId()).isEqualTo(handle.runId());
            assertThat(second.statistics().nodes())
                    .filteredOn(Statistics.NodeInfo::alive)
                    .extracting(Statistics.NodeInfo::recovered)
                    .contains(1L);
        });
    }

    @Test
    void timersKnowHowLateTheyAre() {
        simulate(sim -> {
            Notes notes = new Notes();
            Dormouse node = sim.open(builder -> builder.monitor(notes));
            node.timers().handle("ring", String.class, text -> {});
            node.timers().after(Duration.ofMinutes(10), "ring", "x");
            sim.advance(Duration.ofMinutes(11));
            assertThat(notes.of(Monitor.TimerFired.class))
                    .extracting(Monitor.TimerFired::reason)
                    .containsExactly(WakeReason.START);
            assertThat(notes.of(Monitor.TimerFired.class).get(0).late()).isLessThan(Duration.ofSeconds(1));
        });
    }

    @Test
    void monitorThatFailsChangesNothing() {
        simulate(sim -> {
            Notes notes = new Notes();
            Monitor bad = new Monitor() {
                @Override
                public void runStarted(RunStarted event) {
                    throw new IllegalStateException("bad monitor");
                }

                @Override
                public void runClosed(RunClosed event) {
                    throw new AssertionError("bad monitor");
                }

                @Override
                public void batchSent(BatchSent event) {
                    throw new StackOverflowError();
                }
            };
            Dormouse node = sim.open(
                    builder -> SimulatedDormouse.echo(builder.monitor(bad).monitor(notes)));
            sim.assertStillWorks(node);
            assertThat(notes.of(Monitor.RunClosed.class)).hasSize(1);
        });
    }
}
