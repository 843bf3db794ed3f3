package dev.dormouse.examples.waiting;

import static dev.dormouse.examples.waiting.WaitingNodes.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.dormouse.ActivityInterface;
import dev.dormouse.Dormouse;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.error.ActivityFailedException;
import dev.dormouse.error.CancelledException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.WorkflowException;
import dev.dormouse.inspect.RunStatus;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pitfalls at the end of a cancelled run, and of a history. docs/waiting.md quotes the workflows. */
@Timeout(120)
class EndPitfallsTest {
    private final List<String> deeds = new CopyOnWriteArrayList<>();

    @ActivityInterface
    interface Hotel {
        void book(String room);

        void free(String room);
    }

    private final class RecordedHotel implements Hotel {
        @Override
        public void book(String room) {
            deeds.add("book " + room);
        }

        @Override
        public void free(String room) {
            deeds.add("free " + room);
        }
    }

    @WorkflowInterface
    interface Stay {
        @WorkflowMethod
        String stay(String room);
    }

    static class HearsNothing implements Stay {
        private final Hotel hotel = Workflow.activities(Hotel.class);

        @Override
        public String stay(String room) {
            try {
                hotel.book(room);
                Workflow.sleep(Duration.ofDays(7));
            } catch (RuntimeException problem) { // CancelledException is one
                Workflow.logger().warn("No room", problem);
            }
            return "done";
        }
    }

    static class Listens implements Stay {
        private final Hotel hotel = Workflow.activities(Hotel.class);

        @Override
        public String stay(String room) {
            try {
                hotel.book(room);
                Workflow.sleep(Duration.ofDays(7));
            } catch (ActivityFailedException problem) { // the failure of a step
                Workflow.logger().warn("No room", problem);
            }
            return "done";
        }
    }

    static class FreesTooLate implements Stay {
        private final Hotel hotel = Workflow.activities(Hotel.class);

        @Override
        public String stay(String room) {
            hotel.book(room);
            try {
                Workflow.sleep(Duration.ofDays(7));
            } finally {
                hotel.free(room); // is cancelled too, and never runs
            }
            return "done";
        }
    }

    static class Frees implements Stay {
        private final Hotel hotel = Workflow.activities(Hotel.class);

        @Override
        public String stay(String room) {
            hotel.book(room);
            try {
                Workflow.sleep(Duration.ofDays(7));
            } catch (CancelledException cancelled) {
                Workflow.newDetachedCancellationScope(() -> hotel.free(room)).run();
                throw cancelled; // so that the run ends as cancelled
            }
            return "done";
        }
    }

    @Test
    void runThatSwallowsItsCancelCompletes() {
        assertThat(cancelled(HearsNothing::new)).isEqualTo(RunStatus.COMPLETED);
        assertThat(cancelled(Listens::new)).isEqualTo(RunStatus.CANCELLED);
    }

    @Test
    void cleanUpNeedsADetachedScope() {
        assertThat(cancelled(FreesTooLate::new)).isEqualTo(RunStatus.CANCELLED);
        assertThat(deeds).containsExactly("book 7");
        deeds.clear();
        assertThat(cancelled(Frees::new)).isEqualTo(RunStatus.CANCELLED);
        assertThat(deeds).containsExactly("book 7", "free 7");
    }

    private RunStatus cancelled(Supplier<Stay> implementation) {
        try (Dormouse dormouse = Dormouse.builder()
                .store("sqlite::memory:")
                .workflow(Stay.class, implementation)
                .activities(Hotel.class, new RecordedHotel())
                .open()) {
            Stay stay = dormouse.workflow(Stay.class, "stay");
            WorkflowHandle<String> handle = dormouse.start(() -> stay.stay("7"));
            WaitingNodes.awaitEvent(handle, "TimerScheduled");
            handle.cancel("not wanted");
            WorkflowException end = catchThrowableOfType(WorkflowException.class, () -> handle.result(PATIENCE));
            assertThat(end == null || end.code() == ErrorCode.RUN_CANCELLED).isTrue();
            return handle.describe().status();
        }
    }

    @WorkflowInterface
    interface Meter {
        @WorkflowMethod
        int read(int days, int sum);
    }

    static class MeterWorkflow implements Meter {
        @Override
        public int read(int days, int sum) {
            int total = sum;
            for (int day = 0; day < 30 && days > day; day++) {
                total += Workflow.step("read", Integer.class, () -> 2);
            }
            if (days > 30) {
                Workflow.continueAsNew(days - 30, total); // never returns; fields are gone, the input is not
            }
            return total;
        }
    }

    @Test
    void longLoopContinuesAsNewWithAShortHistory() {
        try (Dormouse dormouse = WaitingNodes.inMemory(Meter.class, MeterWorkflow::new)) {
            Meter meter = dormouse.workflow(Meter.class, "meter");
            WorkflowHandle<Integer> first = dormouse.start(() -> meter.read(365, 0));
            assertThat(first.result(PATIENCE)).isEqualTo(730);
            assertThat(first.history()).hasSizeLessThan(40);
            assertThat(dormouse.find("meter", Integer.class).orElseThrow().history())
                    .hasSizeLessThan(40);
        }
    }
}
