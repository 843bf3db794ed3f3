package dev.dormouse.definition;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.StartOptions;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Invalid workflows, activities and settings, which are refused before the node opens. */
class BadDefinitionTest {
    @WorkflowInterface
    interface NoMethod {
        void run();
    }

    @WorkflowInterface
    interface TwoMethods {
        @WorkflowMethod
        void run();

        @WorkflowMethod
        void walk();
    }

    interface NoAnnotation {
        @WorkflowMethod
        void run();
    }

    @WorkflowInterface
    static class NoInterface {
        @WorkflowMethod
        public void run() {}
    }

    @WorkflowInterface
    interface Good {
        @WorkflowMethod(name = "good")
        String run(String text);
    }

    @WorkflowInterface
    interface SameName {
        @WorkflowMethod(name = "good")
        void other();
    }

    @WorkflowInterface
    interface BadName {
        @WorkflowMethod(name = "no\nway")
        void run();
    }

    private static Throwable opening(UnaryOperator<DormouseBuilder> setUp) {
        return catchThrowable(
                () -> setUp.apply(Dormouse.builder()).store("nowhere:").open());
    }

    @Test
    void interfaceWithoutAWorkflowMethodIsRefused() {
        Throwable problem = opening(builder -> builder.workflow(NoMethod.class, () -> null));
        assertClear(problem, ErrorCode.BAD_WORKFLOW_INTERFACE);
        assertThat(problem.getMessage()).contains("NoMethod").contains("@WorkflowMethod");
    }

    @Test
    void interfaceWithTwoWorkflowMethodsIsRefused() {
        Throwable problem = opening(builder -> builder.workflow(TwoMethods.class, () -> null));
        assertClear(problem, ErrorCode.BAD_WORKFLOW_INTERFACE);
        assertThat(problem.getMessage()).contains("TwoMethods").contains("2");
    }

    @Test
    void interfaceWithoutTheAnnotationIsRefused() {
        Throwable problem = opening(builder -> builder.workflow(NoAnnotation.class, () -> null));
        assertClear(problem, ErrorCode.BAD_WORKFLOW_INTERFACE);
        assertThat(problem.getMessage()).contains("@WorkflowInterface");
    }

    @Test
    void classInsteadOfAnInterfaceIsRefused() {
        Throwable problem = opening(builder -> builder.workflow(NoInterface.class, NoInterface::new));
        assertClear(problem, ErrorCode.BAD_WORKFLOW_INTERFACE);
        assertThat(problem.getMessage()).contains("class");
        assertClear(
                opening(builder -> builder.activities(NoInterface.class, new NoInterface())),
                ErrorCode.BAD_ACTIVITY_INTERFACE);
    }

    @Test
    void unreadableNamesAreRefused() {
        assertClear(opening(builder -> builder.workflow(BadName.class, () -> null)), ErrorCode.BAD_ARGUMENT);
        for (String name : new String[] {"", " x", "a\0b", "~", "x".repeat(201)}) {
            assertClear(
                    opening(builder -> builder.workflow(name, String.class, String.class, (ctx, in) -> in)),
                    ErrorCode.BAD_ARGUMENT);
            assertClear(opening(builder -> builder.remoteWorkflow(name)), ErrorCode.BAD_ARGUMENT);
        }
    }

    @Test
    void typeThatIsRegisteredTwiceIsRefusedHoweverThatIsDone() {
        simulate(sim -> {
            assertTwice(
                    sim,
                    builder ->
                            builder.workflow(Good.class, () -> text -> text).workflow(Good.class, () -> text -> text));
            assertTwice(
                    sim,
                    builder -> builder.workflow(Good.class, () -> text -> text)
                            .workflow("good", String.class, String.class, (ctx, in) -> in));
            assertTwice(
                    sim,
                    builder ->
                            builder.workflow(Good.class, () -> text -> text).workflow(SameName.class, () -> () -> {}));
        });
    }

    private static void assertTwice(SimulatedDormouse sim, UnaryOperator<DormouseBuilder> setUp) {
        Throwable problem = catchThrowable(() -> sim.open(setUp));
        assertClear(problem, ErrorCode.BAD_ARGUMENT);
        assertThat(problem.getMessage()).contains("'good'");
    }

    @Test
    void activitiesThatAreRegisteredTwiceAreRefused() {
        Throwable problem =
                opening(builder -> builder.activities(Runnable.class, () -> {}).activities(Runnable.class, () -> {}));
        assertClear(problem, ErrorCode.BAD_ARGUMENT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"sqlite", "mysql://localhost/x", "jdbc:oracle:thin", "file.db", "sqlite:x y\0z"})
    void storeOfAnUnknownKindIsRefused(String url) {
        Throwable problem = catchThrowable(() -> Dormouse.builder().store(url).open());
        assertClear(problem, ErrorCode.UNKNOWN_STORE);
        assertThat(problem.getMessage()).contains("'" + url + "'");
    }

    @Test
    void storeThatWasForgottenIsAskedFor() {
        Throwable problem = catchThrowable(() -> Dormouse.builder().open());
        assertClear(problem, ErrorCode.UNKNOWN_STORE);
        assertThat(problem).hasMessageContaining("store(…) was not called").hasMessageContaining("Call store(");
    }

    @Test
    void passwordOfAStoreIsNotRepeated() {
        for (String url : List.of("jdbc:mysql://db/x?user=u&password=geheim", "postgres://u:geheim@db/x")) {
            Throwable problem =
                    catchThrowable(() -> Dormouse.builder().store(url).open());
            assertClear(problem, ErrorCode.UNKNOWN_STORE);
            assertThat(problem.getMessage()).contains("***", "db/x").doesNotContain("geheim");
        }
    }

    @Test
    void nullIsRefusedWhereItIsPassed() {
        DormouseBuilder builder = Dormouse.builder();
        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> builder.store((String) null),
                () -> builder.store((DataSource) null),
                () -> builder.schema(null),
                () -> builder.codec(null),
                () -> builder.buildId(null),
                () -> builder.leasePeriod(null),
                () -> builder.retention(null),
                () -> builder.stuckRetry(null, null),
                () -> builder.workflow(null, () -> null),
                () -> builder.workflow(Good.class, null),
                () -> builder.workflow("w", String.class, null, (ctx, in) -> in),
                () -> builder.workflow("w", String.class, String.class, null),
                () -> builder.remoteWorkflow((String) null),
                () -> builder.remoteWorkflow((Class<?>) null),
                () -> builder.activities(null, ""),
                () -> builder.activities(Runnable.class, null),
                () -> StartOptions.DEFAULT.withIdReuse(null),
                () -> StartOptions.DEFAULT.withStartAt(null),
                () -> StartOptions.DEFAULT.withStartDelay(null),
                () -> StartOptions.DEFAULT.withExecutionTimeout(null),
                () -> StartOptions.DEFAULT.withDebounce(null, Duration.ZERO),
                () -> StartOptions.DEFAULT.withMemo("key", null))) {
            Throwable problem = catchThrowable(call);
            assertClear(problem, ErrorCode.BAD_ARGUMENT);
            assertThat(problem.getMessage()).contains("but got null");
        }
    }

    private static void assertBadSetting(UnaryOperator<DormouseBuilder> setUp) {
        assertClear(opening(setUp), ErrorCode.BAD_SETTING);
    }

    @Test
    void durationsThatAreNotPositiveAreRefused() {
        for (Duration bad :
                new Duration[] {Duration.ZERO, Duration.ofSeconds(-1), Duration.ofSeconds(Long.MIN_VALUE)}) {
            assertBadSetting(builder -> builder.leasePeriod(bad));
            assertBadSetting(builder -> builder.sweepInterval(bad));
            assertBadSetting(builder -> builder.parkGrace(bad));
            assertBadSetting(builder -> builder.stuckRetry(bad, Duration.ofHours(1)));
            assertBadSetting(builder -> builder.stuckRetry(Duration.ofHours(1), bad));
            assertBadSetting(builder -> builder.retention(bad));
        }
        assertBadSetting(builder -> builder.maxParkTime(Duration.ofNanos(-1)));
        assertBadSetting(builder -> builder.closeGrace(Duration.ofNanos(-1)));
    }

    @Test
    void limitsThatAreNotPositiveAreRefused() {
        for (int bad : new int[] {0, -1, Integer.MIN_VALUE}) {
            assertBadSetting(builder -> builder.maxExecuting(bad));
            assertBadSetting(builder -> builder.maxTakeovers(bad));
            assertBadSetting(builder -> builder.historyLimit(bad));
            assertBadSetting(builder -> builder.payloadLimit(bad));
            assertBadSetting(builder -> builder.shards(bad));
            assertBadSetting(builder -> builder.writers(bad));
        }
        assertBadSetting(builder -> builder.maxParked(-1));
        assertBadSetting(builder -> builder.shards(1 << 20));
    }

    @Test
    void durationsThatAreAbsurdlyLongWorkOrAreRefused() {
        Duration absurd = Duration.ofSeconds(Long.MAX_VALUE);
        List<UnaryOperator<DormouseBuilder>> settings = List.of(
                builder -> builder.leasePeriod(absurd),
                builder -> builder.sweepInterval(absurd),
                builder -> builder.parkGrace(absurd),
                builder -> builder.maxParkTime(absurd),
                builder -> builder.closeGrace(absurd),
                builder -> builder.stuckRetry(absurd, absurd),
                builder -> builder.retention(absurd));
        for (UnaryOperator<DormouseBuilder> setting : settings) {
            simulate(sim -> {
                try {
                    Dormouse dormouse = sim.open(node -> setting.apply(SimulatedDormouse.echo(node)));
                    sim.assertStillWorks(dormouse);
                    dormouse.close();
                } catch (DormouseException refused) {
                    assertClear(refused, ErrorCode.BAD_SETTING);
                }
            });
        }
    }

    @Test
    void longestRetryThatIsShorterThanTheFirstDoesNoHarm() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(
                    node -> SimulatedDormouse.echo(node).stuckRetry(Duration.ofHours(2), Duration.ofMinutes(1)));
            sim.assertStillWorks(dormouse);
        });
    }
}
