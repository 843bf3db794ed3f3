package dev.dormouse.timer;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.CancellationScope;
import dev.dormouse.Dormouse;
import dev.dormouse.SignalMethod;
import dev.dormouse.TimerPolicy;
import dev.dormouse.UpdatableTimer;
import dev.dormouse.UpdateMethod;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An escalation that can be postponed, and a payment with a grace period. */
@Tag("simulation")
class EscalationTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration DAY = Duration.ofDays(1);

    @WorkflowInterface
    interface Ticket {
        @WorkflowMethod
        String run(int hours);

        @SignalMethod
        void solved();

        @UpdateMethod
        Instant postpone(int hours);
    }

    static final class TicketWorkflow implements Ticket {
        private final SimulatedDormouse sim;
        private final UpdatableTimer sla = Workflow.newUpdatableTimer(
                "sla", TimerPolicy.ANY.withOnlyLater().withMaxChanges(2));
        private boolean solved;

        TicketWorkflow(SimulatedDormouse sim) {
            this.sim = sim;
        }

        @Override
        public String run(int hours) {
            for (int level = 1; level <= 3; level++) {
                if (sla.await(Workflow.now().plus(Duration.ofHours(hours)), () -> solved)) {
                    return "solved at level " + (level - 1);
                }
                String to = "level " + level;
                Workflow.step("escalate", () -> sim.log(to));
            }
            return "lost";
        }

        @Override
        public void solved() {
            solved = true;
        }

        @Override
        public Instant postpone(int hours) {
            sla.updateWakeUpTime(sla.wakeUpTime().plus(Duration.ofHours(hours)), "postponed");
            return sla.wakeUpTime();
        }
    }

    private static Dormouse open(SimulatedDormouse sim) {
        return sim.open(node -> node.workflow(Ticket.class, () -> new TicketWorkflow(sim)));
    }

    @Test
    void escalatesLevelByLevelUntilItIsSolved() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            Ticket ticket = dormouse.workflow(Ticket.class, "t");
            WorkflowHandle<String> handle = dormouse.start(() -> ticket.run(4));
            sim.advance(HOUR.multipliedBy(3));
            assertThat(sim.log()).isEmpty();
            Instant later = ticket.postpone(2);
            assertThat(Duration.between(handle.describe().startedAt(), later)
                            .plusSeconds(1)
                            .toHours())
                    .isEqualTo(6);
            sim.advance(HOUR.multipliedBy(2));
            assertThat(sim.log()).isEmpty();
            sim.advance(HOUR.multipliedBy(2));
            assertThat(sim.log()).containsExactly("level 1");
            handle.timer("sla").reschedule(sim.now().plus(HOUR.multipliedBy(20)), "holiday");
            assertClear(catchThrowable(() -> ticket.postpone(1)), ErrorCode.UPDATE_FAILED);
            sim.advance(HOUR.multipliedBy(19));
            assertThat(sim.log()).containsExactly("level 1");
            ticket.solved();
            assertThat(sim.result(handle)).isEqualTo("solved at level 1");
        });
    }

    @Test
    void escalatesOnceAtEachLevelAlthoughNodesDieAllTheTime() {
        simulate(sim -> {
            Dormouse node = open(sim);
            Ticket ticket = node.workflow(Ticket.class, "t");
            node.start(() -> ticket.run(4));
            for (int i = 0; i < 13; i++) {
                sim.advance(HOUR.minusSeconds(i * 7L));
                sim.kill(node);
                node = open(sim);
            }
            assertThat(sim.result(node.find("t", String.class).orElseThrow())).isEqualTo("lost");
            assertThat(sim.log()).containsExactly("level 1", "level 2", "level 3");
        });
    }

    private static WorkflowFunction<String, String> grace(SimulatedDormouse sim) {
        return (ctx, input) -> {
            CancellationScope reminders = ctx.newCancellationScope(() -> {
                for (int day = 3; day < 14; day += 3) {
                    ctx.sleep(DAY.multipliedBy(3));
                    String which = "reminder " + day;
                    ctx.step("remind", () -> sim.log(which));
                }
            });
            ctx.async(() -> {
                reminders.run();
                return "";
            });
            boolean paid = ctx.waitForSignal("paid", DAY.multipliedBy(14)).isPresent();
            reminders.cancel();
            ctx.step(paid ? "thank" : "suspend", () -> sim.log(paid ? "thanks" : "suspended"));
            ctx.sleep(DAY);
            return paid ? "paid" : "suspended";
        };
    }

    /** Two weeks are many sweeps. */
    private static Dormouse openGrace(SimulatedDormouse sim) {
        return sim.open(node -> Scenario.with(node, grace(sim)).sweepInterval(Duration.ofMinutes(10)));
    }

    @Test
    void paymentWithinTheGracePeriodStopsTheReminders() {
        for (int day : List.of(1, 4, 8, 13)) {
            simulate(sim -> {
                Dormouse one = openGrace(sim);
                WorkflowHandle<String> handle = Scenario.start(one);
                sim.advance(DAY.multipliedBy(day).plus(HOUR));
                handle.signal("paid");
                sim.advance(HOUR);
                sim.kill(one);
                Dormouse two = openGrace(sim);
                assertThat(sim.result(two.find("w", String.class).orElseThrow()))
                        .isEqualTo("paid");
                assertThat(sim.log()).hasSize(day / 3 + 1).endsWith("thanks");
            });
        }
    }

    @Test
    void withoutPaymentTheAccountIsSuspendedAfterFourteenDaysEvenWhenNodesDie() {
        simulate(sim -> {
            Dormouse node = openGrace(sim);
            Scenario.start(node);
            for (int day = 0; day < 16; day++) {
                sim.advance(DAY.plus(Duration.ofMinutes(7)));
                sim.kill(node);
                sim.advance(Duration.ofMinutes(5));
                node = openGrace(sim);
            }
            WorkflowHandle<String> handle = node.find("w", String.class).orElseThrow();
            assertThat(sim.result(handle)).isEqualTo("suspended");
            assertThat(handle.describe().status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(sim.log()).containsExactly("reminder 3", "reminder 6", "reminder 9", "reminder 12", "suspended");
        });
    }

    @Test
    void paymentWhileAllIsDownCountsIfItCameInTime() {
        for (boolean before : List.of(true, false)) {
            simulate(sim -> {
                Dormouse one = openGrace(sim);
                Scenario.start(one);
                sim.advance(DAY.multipliedBy(13));
                sim.kill(one);
                Dormouse client = sim.open(node -> node.remoteWorkflow("w").sweepInterval(Duration.ofMinutes(10)));
                sim.advance(before ? HOUR.multipliedBy(23) : HOUR.multipliedBy(25));
                client.find("w", String.class).orElseThrow().signal("paid");
                sim.advance(DAY);
                Dormouse two = openGrace(sim);
                assertThat(sim.result(two.find("w", String.class).orElseThrow()))
                        .isEqualTo(before ? "paid" : "suspended");
            });
        }
    }
}
