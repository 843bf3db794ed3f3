package dev.dormouse.testing.releases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.Dormouse;
import dev.dormouse.StartOptions;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.testing.TestDormouse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** What happens to the runs whose histories are kept, by the names of their files. */
final class Plays {
    private static final Duration DAY = Duration.ofDays(1);

    /** Each brings a run to where its history is exported. */
    static final Map<String, Function<TestDormouse, WorkflowHandle<?>>> ALL = new LinkedHashMap<>();

    static {
        ALL.put("steps", test -> ended(start(test, "steps"), "ada! went on"));
        ALL.put("sleeps", test -> ended(start(test, "sleeps"), "ada at 2030-01-03T00:00:02Z"));
        ALL.put("await-timeout", test -> ended(start(test, "waits"), "false true false"));
        ALL.put("signals", Plays::signals);
        ALL.put("updates", Plays::updates);
        ALL.put("versions", test -> ended(start(test, "versions"), "1 5"));
        ALL.put("coroutines", test -> {
            WorkflowHandle<String> run = start(test, "coroutines");
            assertThat(run.result()).startsWith("fast first, ");
            return run;
        });
        ALL.put("children", test -> ended(start(test, "parent"), "good true in spite of CHILD_FAILED"));
        ALL.put("child-options", test -> ended(start(test, "guardian"), "false true"));
        ALL.put("update-with-start", test -> {
            Booking booking = test.dormouse().workflow(Booking.class, "booking");
            Booking.Guest ada = new Booking.Guest("Ada", 2);
            assertThat(test.dormouse().updateWithStart("ada", DAY, () -> booking.run(DAY), () -> booking.add(ada)))
                    .isEqualTo(1);
            assertThat(booking.confirm()).isEqualTo("confirmed");
            return ended(
                    test.dormouse().find("booking", Object.class).orElseThrow(), List.of("Hello Ada", "1 reserved"));
        });
        ALL.put("continued", Plays::continued);
        ALL.put("continuing", test -> {
            continued(test);
            return test.dormouse().find("rounds", String.class).orElseThrow();
        });
        ALL.put("cancelled", test -> {
            WorkflowHandle<String> run = start(test, "cleanup");
            test.advance(DAY.dividedBy(2));
            run.cancel("enough");
            assertThatThrownBy(run::result).hasMessageContaining("enough");
            return run;
        });
        ALL.put("failed", test -> {
            WorkflowHandle<String> run = start(test, "fails");
            assertThatThrownBy(run::result).hasMessageContaining("as it should");
            return run;
        });
        ALL.put("details", test -> {
            WorkflowHandle<String> run = start(test, "details");
            assertThatThrownBy(run::result).hasMessageContaining("Ended: ada true");
            return run;
        });
        ALL.put("cancelled-step", test -> {
            WorkflowHandle<String> run = start(test, "waiting");
            test.advance(DAY.dividedBy(2));
            run.cancel("enough");
            return ended(run, "enough 0");
        });
        ALL.put("terminated", test -> {
            WorkflowHandle<String> run = start(test, "fails");
            test.advance(DAY.dividedBy(2));
            run.terminate("enough");
            return run;
        });
        ALL.put("timed-out", test -> {
            StartOptions late = StartOptions.DEFAULT
                    .withStartDelay(DAY)
                    .withExecutionTimeout(Duration.ofHours(1))
                    .withMemo("why", "to see it time out");
            WorkflowHandle<String> run = test.dormouse().start("fails", "fails", late, String.class, "ada");
            assertThatThrownBy(run::result).hasMessageContaining("timed out");
            return run;
        });
        ALL.put("open", test -> {
            WorkflowHandle<String> run = start(test, "sleeps");
            test.advance(Duration.ofHours(12));
            return run;
        });
    }

    private Plays() {}

    private static WorkflowHandle<String> start(TestDormouse test, String type) {
        return test.dormouse().start(type, type, String.class, "ada");
    }

    private static <R> WorkflowHandle<R> ended(WorkflowHandle<R> run, R result) {
        assertThat(run.result()).isEqualTo(result);
        return run;
    }

    private static WorkflowHandle<?> signals(TestDormouse test) {
        WorkflowHandle<String> run = test.dormouse()
                .signalWithStart(
                        "signals", "signals", StartOptions.DEFAULT, String.class, List.of("ada"), "other", 1, "x");
        test.advance(Duration.ofHours(1));
        run.signalOnce("key", "one");
        run.signalOnce("key", "one");
        return ended(run, "one before other");
    }

    private static WorkflowHandle<?> updates(TestDormouse test) {
        Booking booking = test.dormouse().workflow(Booking.class, "booking");
        WorkflowHandle<List<String>> run = test.dormouse().start(() -> booking.run(DAY));
        assertThatThrownBy(booking::confirm).hasMessageContaining("nobody");
        booking.note("early");
        assertThatThrownBy(() -> booking.add(new Booking.Guest("Nobody", 0))).hasMessageContaining("no nights");
        assertThat(run.updateOnce("ada", DAY, "add", Integer.class, new Booking.Guest("Ada", 2)))
                .isEqualTo(2);
        run.timer("deadline").reschedule(test.now().plus(DAY.multipliedBy(3)), "a friend");
        test.advance(DAY.multipliedBy(2));
        assertThat(booking.confirm()).isEqualTo("confirmed");
        return ended(run, List.of("note early", "Hello Ada", "2 reserved"));
    }

    private static WorkflowHandle<?> continued(TestDormouse test) {
        Dormouse dormouse = test.dormouse();
        WorkflowHandle<String> run = dormouse.start("rounds", "rounds", String.class, 1);
        test.advance(DAY.plusHours(1));
        run.signal("hurry");
        return ended(run, "after 13");
    }
}
