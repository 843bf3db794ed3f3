package dev.dormouse.client;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Dormouse;
import dev.dormouse.StartOptions;
import dev.dormouse.TypeRef;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Starts with a generated workflow id. */
class GeneratedIdTest {
    @WorkflowInterface
    interface Greeting {
        @WorkflowMethod
        String greet(String name);
    }

    private static final TypeRef<Class<?>> CLASS = new TypeRef<>() {};

    private static Dormouse open(SimulatedDormouse sim) {
        return sim.open(node -> SimulatedDormouse.echo(node)
                .workflow(Greeting.class, () -> name -> "Hello, " + name)
                .workflow("class", CLASS, TypeRef.of(String.class), (ctx, type) -> type.getSimpleName()));
    }

    @Test
    void eachStubIsOneWorkflow() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            Set<String> ids = new HashSet<>();
            for (String name : List.of("Ada", "Bob")) {
                Greeting greeting = dormouse.workflow(Greeting.class);
                WorkflowHandle<String> handle = dormouse.start(() -> greeting.greet(name));
                assertThat(sim.result(handle)).isEqualTo("Hello, " + name);
                assertThat(greeting.greet(name)).isEqualTo("Hello, " + name);
                assertThat(dormouse.start(() -> greeting.greet(name)).runId()).isEqualTo(handle.runId());
                assertThat(UUID.fromString(handle.workflowId())).isNotNull();
                ids.add(handle.workflowId());
            }
            assertThat(ids).hasSize(2);
        });
    }

    @Test
    void stubHasTheOptionsOfItsStart() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            StartOptions later = StartOptions.DEFAULT.withStartDelay(Duration.ofHours(1));
            Greeting greeting = dormouse.workflow(Greeting.class, later);
            WorkflowHandle<String> handle = dormouse.start(() -> greeting.greet("Ada"));
            assertThat(handle.describe().status()).isEqualTo(RunStatus.PENDING);
            assertThat(sim.result(handle)).isEqualTo("Hello, Ada");
            assertThat(sim.elapsed()).isGreaterThan(Duration.ofMinutes(59));
        });
    }

    @Test
    void eachStartByNameIsOneWorkflow() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            WorkflowHandle<String> one = dormouse.start("Greeting", String.class, "Ada");
            WorkflowHandle<String> two = dormouse.start("Greeting", new TypeRef<String>() {}, "Ada");
            assertThat(one.workflowId()).isNotEqualTo(two.workflowId());
            assertThat(sim.result(one)).isEqualTo("Hello, Ada");
            assertThat(sim.result(two)).isEqualTo("Hello, Ada");
            assertThat(dormouse.handle(one.workflowId()).runId()).isEqualTo(one.runId());
        });
    }

    @Test
    void inputThatIsAClassIsNotTakenForTheTypeOfTheResult() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            assertThat(sim.result(dormouse.start("class", String.class, Integer.class)))
                    .isEqualTo("Integer");
            WorkflowHandle<String> withId = dormouse.start("class", "my-id", String.class, Integer.class);
            assertThat(withId.workflowId()).isEqualTo("my-id");
            assertThat(sim.result(withId)).isEqualTo("Integer");
        });
    }

    @Test
    void nullIsRefusedWhereItIsPassed() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            for (ThrowingCallable call : List.<ThrowingCallable>of(
                    () -> dormouse.workflow(null),
                    () -> dormouse.workflow(Greeting.class, (StartOptions) null),
                    () -> dormouse.start(null, String.class, "x"),
                    () -> dormouse.start("Greeting", (Class<?>) null, "x"),
                    () -> dormouse.start("Greeting", (TypeRef<?>) null, "x"))) {
                Throwable problem = catchThrowable(call);
                assertClear(problem, ErrorCode.BAD_ARGUMENT);
                assertThat(problem).hasMessageContaining("but got null");
            }
            assertClear(catchThrowable(() -> dormouse.workflow(String.class)), ErrorCode.BAD_WORKFLOW_INTERFACE);
            assertClear(
                    catchThrowable(() -> dormouse.start("nonsense", String.class)), ErrorCode.UNKNOWN_WORKFLOW_TYPE);
            assertClear(
                    catchThrowable(() -> dormouse.start("Greeting", String.class, "x", "y")),
                    ErrorCode.PAYLOAD_DOES_NOT_FIT);
            sim.assertStillWorks(dormouse);
        });
    }

    @Test
    void dormouseThatIsClosedOrOnlyReadsStartsNothing() {
        simulate(sim -> {
            Dormouse dormouse = open(sim);
            Dormouse reader = sim.open(node -> node.anyRemoteWorkflow().readOnly());
            assertClear(catchThrowable(() -> reader.start("Greeting", String.class, "x")), ErrorCode.READ_ONLY);
            Greeting greeting = reader.workflow(Greeting.class);
            assertClear(catchThrowable(() -> greeting.greet("x")), ErrorCode.READ_ONLY);
            dormouse.close();
            assertClear(catchThrowable(() -> dormouse.start("Greeting", String.class, "x")), ErrorCode.DORMOUSE_CLOSED);
        });
    }
}
