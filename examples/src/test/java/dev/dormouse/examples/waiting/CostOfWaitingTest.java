package dev.dormouse.examples.waiting;

import static dev.dormouse.examples.waiting.WaitingNodes.PATIENCE;
import static dev.dormouse.examples.waiting.WaitingNodes.SOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.DebouncedTimer;
import dev.dormouse.Dormouse;
import dev.dormouse.Promise;
import dev.dormouse.UpdatableTimer;
import dev.dormouse.UpdateMethod;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.internal.embedded.ConfigurationAccess;
import dev.dormouse.internal.thread.JvmThreads;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The cost of each way to wait. The table in docs/waiting.md has these numbers. */
@Timeout(120)
class CostOfWaitingTest {
    private static final int MOVES = 5;

    @WorkflowInterface
    interface Wait {
        @WorkflowMethod
        void execute();

        /** Moves the end, or touches it. Its answer shows that the run waits again. */
        @UpdateMethod
        default void move(Instant later) {}

        @UpdateMethod
        default void finish() {}
    }

    /** The events between the start and the end of a run, and its commits except that of the start. */
    private record Cost(List<String> events, int commits) {}

    private static Cost costOf(Supplier<Wait> workflow, Consumer<Wait> talk) {
        CountedStore counted = new CountedStore();
        try (Dormouse dormouse = ConfigurationAccess.open(
                Dormouse.builder().workflow(Wait.class, workflow),
                counted.store(),
                new JvmThreads(),
                new SecureRandom())) {
            Wait wait = dormouse.workflow(Wait.class, "w");
            WorkflowHandle<Void> handle = dormouse.start(wait::execute);
            WaitingNodes.awaitPause(handle);
            talk.accept(wait);
            handle.result(PATIENCE);
            List<String> all = WaitingNodes.kinds(handle);
            return new Cost(all.subList(1, all.size() - 1), counted.commits());
        }
    }

    private static Cost costOf(Supplier<Wait> workflow) {
        return costOf(workflow, wait -> {});
    }

    private static void moveOften(Wait wait) {
        for (int i = 0; i < MOVES; i++) {
            wait.move(Instant.now().plus(SOON.multipliedBy(5)));
        }
    }

    static class Sleeps implements Wait {
        @Override
        public void execute() {
            Workflow.sleep(SOON);
        }
    }

    @Test
    void sleepIsTwoEventsAndTwoCommits() {
        assertThat(costOf(Sleeps::new)).isEqualTo(new Cost(List.of("TimerScheduled", "TimerFired"), 2));
    }

    static class Awaits implements Wait {
        private boolean finished;

        @Override
        public void execute() {
            Workflow.await(SOON.multipliedBy(10), () -> finished);
        }

        @Override
        public void finish() {
            finished = true;
        }
    }

    @Test
    void waitThatTimesOutIsOneEventAndTwoCommits() {
        assertThat(costOf(Awaits::new)).isEqualTo(new Cost(List.of("WaitTimedOut"), 2));
    }

    @Test
    void metConditionIsNoEventBesideTheMessage() {
        assertThat(costOf(Awaits::new, Wait::finish)).isEqualTo(new Cost(List.of("MailReceived", "UpdateAnswered"), 2));
    }

    static class Moves implements Wait {
        private final UpdatableTimer timer = Workflow.newUpdatableTimer();

        @Override
        public void execute() {
            timer.sleepUntil(Workflow.now().plusSeconds(60));
        }

        @Override
        public void move(Instant later) {
            timer.updateWakeUpTime(later);
        }
    }

    @Test
    void moveOfAnUpdatableTimerIsItsMailAndOneCommit() {
        Cost cost = costOf(Moves::new, CostOfWaitingTest::moveOften);
        assertThat(cost.commits()).isEqualTo(2 + MOVES);
        assertThat(cost.events())
                .hasSize(2 * MOVES + 1)
                .containsOnly("MailReceived", "UpdateAnswered", "WaitTimedOut")
                .endsWith("WaitTimedOut");
    }

    static class Debounces implements Wait {
        private final DebouncedTimer<Instant> timer = Workflow.newDebouncedTimer(SOON, Duration.ofHours(1));

        @Override
        public void execute() {
            timer.awaitLast();
        }

        @Override
        public void move(Instant later) {
            timer.touch(later);
        }
    }

    @Test
    void touchOfADebouncedTimerIsItsMailAndOneCommit() {
        Cost cost = costOf(Debounces::new, CostOfWaitingTest::moveOften);
        assertThat(cost.commits()).isEqualTo(2 + MOVES);
        assertThat(cost.events())
                .hasSize(2 * MOVES + 1)
                .containsOnly("MailReceived", "UpdateAnswered", "WaitTimedOut")
                .endsWith("WaitTimedOut");
    }

    static class SetsAnew implements Wait {
        private Instant end = Instant.MIN;
        private boolean moved;

        @Override
        public void execute() {
            end = Workflow.now().plusSeconds(60);
            do {
                moved = false;
                Promise<Void> timer = Workflow.newTimer(Duration.between(Workflow.now(), end));
                Workflow.await(() -> moved || timer.isDone());
                timer.cancel();
            } while (moved);
        }

        @Override
        public void move(Instant later) {
            end = later;
            moved = true;
        }
    }

    @Test
    void timerThatIsCancelledAndSetAnewIsOneMoreEventForEachMove() {
        Cost cost = costOf(SetsAnew::new, CostOfWaitingTest::moveOften);
        assertThat(cost.commits()).isEqualTo(2 + MOVES);
        assertThat(cost.events().stream().filter("TimerScheduled"::equals)).hasSize(1 + MOVES);
        assertThat(cost.events().stream().filter("TimerFired"::equals)).hasSize(1);
    }

    static class Polls implements Wait {
        @Override
        public void execute() {
            int rounds = 0;
            while (Workflow.step("look", Integer.class, () -> 0) == 0 && ++rounds < MOVES) {
                Workflow.sleep(Duration.ofMillis(50));
            }
        }
    }

    @Test
    void roundOfAPollingLoopIsThreeEventsAndTwoCommits() {
        Cost cost = costOf(Polls::new);
        assertThat(cost.events())
                .hasSize(3 * (MOVES - 1) + 1)
                .startsWith("StepCompleted", "TimerScheduled", "TimerFired");
        assertThat(cost.commits()).isEqualTo(2 * (MOVES - 1) + 1);
    }

    static class AwaitsOften implements Wait {
        @Override
        public void execute() {
            for (int i = 0; i < 1_000; i++) {
                Workflow.await(Duration.ofHours(1), () -> true);
            }
        }
    }

    @Test
    void waitWhoseConditionHoldsAtOnceIsFree() {
        assertThat(costOf(AwaitsOften::new)).isEqualTo(new Cost(List.of(), 1));
    }
}
