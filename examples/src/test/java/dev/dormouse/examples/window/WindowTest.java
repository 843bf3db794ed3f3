package dev.dormouse.examples.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.WorkflowHandle;
import dev.dormouse.examples.window.Window.State;
import dev.dormouse.testing.DormouseExtension;
import dev.dormouse.testing.TestDormouse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class WindowTest {
    private final List<Integer> processed = new ArrayList<>();
    private int failing = -1;

    @RegisterExtension
    final DormouseExtension kit =
            DormouseExtension.of(builder -> builder.workflow(Window.class, () -> new WindowWorkflow(5))
                    .workflow(Item.class, ItemWorkflow::new)
                    .activities(Records.class, this::process));

    private void process(int item) {
        if (item == failing) {
            throw new IllegalStateException("broken record");
        }
        processed.add(item);
    }

    private static WorkflowHandle<Integer> start(TestDormouse test, int records) {
        Window window = test.dormouse().workflow(Window.class, "window");
        return test.dormouse().start(() -> window.run(new State(0, records, 3, Set.of(), 0)));
    }

    @Test
    void everyRecordIsProcessedOnceInSeveralRuns(TestDormouse test) {
        assertThat(start(test, 17).result()).isEqualTo(17);
        assertThat(processed)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, 17).boxed().toList());
    }

    @Test
    void slowRecordKeepsOnePlaceWhileTheOthersMoveOnAndACrashLosesNoReport(TestDormouse test) {
        failing = 1;
        start(test, 17);
        test.advance(Duration.ofMillis(500)); // record 1 waits for its second attempt
        assertThat(test.dormouse().workflow(Window.class, "window").state())
                .isEqualTo(new State(17, 17, 3, Set.of(1), 16));
        test.restart();
        assertThat(test.dormouse().handle("window", Integer.class).result()).isEqualTo(17);
        assertThat(processed).hasSize(16).doesNotContain(1).doesNotHaveDuplicates();
    }

    @Test
    void secondReportOfAChildDoesNotCount(TestDormouse test) {
        failing = 1;
        WorkflowHandle<Integer> handle = start(test, 3);
        test.advance(Duration.ofMillis(500));
        test.dormouse().workflow(Window.class, "window").completed(0);
        assertThat(handle.result()).isEqualTo(3);
    }
}
