package dev.dormouse.activity;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.dormouse.ActivityInterface;
import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.StartOptions;
import dev.dormouse.TypeRef;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ActivityFailedException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.WorkflowException;
import dev.dormouse.error.WorkflowFailedException;
import dev.dormouse.inspect.HistoryEvent;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.SimulatedDormouse;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Steps: results, failures and names. */
class StepTest {
    private static final Duration HOUR = Duration.ofHours(1);

    public static class Animal {
        public String name = "";
    }

    public static class Dog extends Animal {
        public String breed = "";
    }

    @ActivityInterface
    public interface Zoo {
        Animal dog(String name);

        List<Animal> all();

        Map<String, List<Integer>> counts();

        int number();

        void close(String reason) throws IOException;

        default String twice(String text) {
            return text + text;
        }
    }

    static class RealZoo implements Zoo {
        private final SimulatedDormouse sim;

        RealZoo(SimulatedDormouse sim) {
            this.sim = sim;
        }

        @Override
        public Animal dog(String name) {
            sim.log("dog " + name);
            Dog dog = new Dog();
            dog.name = name;
            return dog;
        }

        @Override
        public List<Animal> all() {
            return List.of(dog("a"), dog("b"));
        }

        @Override
        public Map<String, List<Integer>> counts() {
            return Map.of("dogs", List.of(1, 2));
        }

        @Override
        public int number() {
            return 42;
        }

        @Override
        public void close(String reason) throws IOException {
            sim.log("close");
            throw new IOException("locked: " + reason, new IllegalStateException("the key is lost"));
        }
    }

    private static DormouseBuilder code(DormouseBuilder builder, WorkflowFunction<String, String> code) {
        return builder.workflow("w", String.class, String.class, code);
    }

    private static String run(SimulatedDormouse sim, WorkflowFunction<String, String> code) {
        Dormouse dormouse = sim.open(node -> code(node, code).activities(Zoo.class, new RealZoo(sim)));
        return sim.result(dormouse.start("w", "w-" + sim.elapsed(), String.class, ""));
    }

    @Test
    void liveResultIsACopyLikeTheOneAfterACrash() {
        simulate(sim -> {
            List<Object> original = new ArrayList<>();
            run(sim, (ctx, input) -> {
                List<?> list = ctx.step("list", new TypeRef<List<Object>>() {}, () -> {
                    original.add("x");
                    return original;
                });
                assertThat(list).isNotSameAs(original).isEqualTo(List.of("x"));
                original.add("y");
                assertThat(list).isEqualTo(List.of("x"));
                ctx.sleep(HOUR);
                assertThat(list).isEqualTo(List.of("x"));
                return "";
            });
            assertThat(original).containsExactly("x", "y", "y");
        });
    }

    @Test
    void subclassIsReadAsTheDeclaredType() {
        simulate(sim -> {
            WorkflowException failed = catchThrowableOfType(
                    WorkflowException.class,
                    () -> run(sim, (ctx, input) -> {
                        Animal animal = ctx.step("animal", Animal.class, () -> {
                            Animal cat = new Animal();
                            cat.name = "tom";
                            return cat;
                        });
                        assertThat(animal.getClass()).isEqualTo(Animal.class);
                        return ctx.step("dog", Animal.class, Dog::new)
                                .getClass()
                                .getSimpleName();
                    }));
            // a field that the declared type does not have is an error or is dropped, but the type is the declared one
            if (failed != null) {
                assertThat(failed.getMessage()).contains("[DM1005]");
            }
        });
    }

    @Test
    void activitiesKeepTheirGenericTypes() {
        simulate(sim -> {
            String result = run(sim, (ctx, input) -> {
                Zoo zoo = ctx.activities(Zoo.class);
                int sum = zoo.counts().get("dogs").stream()
                        .mapToInt(Integer::intValue)
                        .sum();
                ctx.sleep(HOUR);
                return sum
                        + zoo.number()
                        + zoo.twice("!")
                        + zoo.counts().get("dogs").get(1);
            });
            assertThat(result).isEqualTo("45!!2");
        });
    }

    @Test
    void methodsOfObjectOnAnActivityStubAreNoSteps() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> code(node, (ctx, input) -> {
                        Zoo zoo = ctx.activities(Zoo.class);
                        assertThat(zoo.equals(zoo)).isTrue();
                        assertThat(zoo.equals(ctx.activities(Zoo.class))).isFalse();
                        assertThat(zoo.hashCode()).isEqualTo(zoo.hashCode());
                        return zoo.toString();
                    })
                    .activities(Zoo.class, new RealZoo(sim)));
            WorkflowHandle<String> handle = dormouse.start("w", "w", String.class, "");
            assertThat(sim.result(handle)).contains("Zoo");
            assertThat(handle.history()).extracting(HistoryEvent::kind).containsExactly("RunStarted", "RunCompleted");
        });
    }

    @Test
    void failureOfAStepReachesTheCodeAsActivityFailureInReplayToo() {
        simulate(sim -> {
            String result = run(sim, (ctx, input) -> {
                Zoo zoo = ctx.activities(Zoo.class);
                ActivityFailedException failure =
                        catchThrowableOfType(ActivityFailedException.class, () -> zoo.close("night"));
                assertThat(failure.step()).isEqualTo("Zoo.close");
                assertThat(failure.failure().type()).isEqualTo("java.io.IOException");
                assertThat(failure.failure().getMessage()).isEqualTo("locked: night");
                assertThat(failure.failure().getCause().getMessage()).isEqualTo("the key is lost");
                assertThat(failure.code()).isEqualTo(ErrorCode.STEP_FAILED);
                assertThat(failure.getMessage())
                        .startsWith("[DM3008] Expected ")
                        .contains("night, caused by ", ", at ");
                assertThat(failure.getCause()).hasToString("java.io.IOException: locked: night");
                ctx.sleep(HOUR);
                return failure.failure().type();
            });
            assertThat(result).isEqualTo("java.io.IOException");
            assertThat(sim.count("close")).isEqualTo(1);
        });
    }

    @Test
    void uncaughtFailureOfAStepFailsTheRunWithItsTypeAndText() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> code(node, (ctx, input) -> {
                ctx.sleep(HOUR);
                ctx.step("explode", () -> {
                    throw new java.io.FileNotFoundException("no such fuse");
                });
                return "";
            }));
            WorkflowHandle<String> handle = dormouse.start("w", "w", String.class, "");
            WorkflowException failed = sim.failure(handle);
            assertThat(failed).isInstanceOf(WorkflowFailedException.class);
            assertThat(failed.workflowId()).isEqualTo("w");
            assertThat(failed.runId()).isEqualTo(handle.runId());
            assertThat(failed.getMessage())
                    .startsWith("[DM3004] Expected ")
                    .contains("java.io.FileNotFoundException")
                    .contains("no such fuse")
                    .doesNotContain("..");
            assertThat(handle.describe().status()).isEqualTo(RunStatus.FAILED);
        });
    }

    @Test
    void uncaughtExceptionOfTheCodeFailsTheRunWithItsTypeAndText() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> code(node, (ctx, input) -> {
                ctx.sleep(HOUR);
                throw new IOException("checked", new RuntimeException("why"));
            }));
            WorkflowFailedException failed =
                    (WorkflowFailedException) sim.failure(dormouse.start("w", "w", String.class, ""));
            assertThat(failed.failure().type()).isEqualTo("java.io.IOException");
            assertThat(failed.failure().getMessage()).isEqualTo("checked");
            assertThat(failed.failure().getCause().getMessage()).isEqualTo("why");
            assertThat(failed.failure().stackTraceText()).contains("StepTest.java:");
            assertThat(failed.getMessage())
                    .contains(
                            "failed with java.io.IOException: checked, caused by java.lang.RuntimeException: why, at ");
            assertThat(failed.getCause()).hasToString("java.io.IOException: checked");
            assertThat(failed.getCause().getStackTrace()[0].getFileName()).isEqualTo("StepTest.java");
            assertThat(failed.getCause().getCause()).hasToString("java.lang.RuntimeException: why");
        });
    }

    /** An exception whose own methods throw. */
    static class Nasty extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no message for you");
        }

        @Override
        public String toString() {
            throw new IllegalStateException("no text for you");
        }
    }

    static Exception circular() {
        Exception one = new Exception("one");
        Exception other = new Exception("other", one);
        one.initCause(other);
        return one;
    }

    private static final List<Throwable> THROWN = List.of(
            circular(),
            new Exception((String) null),
            new Exception("x".repeat(3_000_000)),
            new Exception("lone surrogate \uD800 and NUL \0"),
            new StackOverflowError(),
            new OutOfMemoryError("of the heart"),
            new AssertionError("no"),
            new Error("own"),
            new InterruptedException(),
            new Nasty());

    @Test
    void whateverAStepThrowsReachesTheCode() {
        simulate(sim -> assertReachesTheCode(sim, StartOptions.DEFAULT));
    }

    @Test
    void everyExceptionOfAStepReachesTheCodeEvenFromTheOwnThreadOfTheStep() {
        simulate(sim -> assertReachesTheCode(sim, StartOptions.DEFAULT.withExecutionTimeout(HOUR.multipliedBy(100))));
    }

    private static void assertReachesTheCode(SimulatedDormouse sim, StartOptions options) {
        Dormouse dormouse = sim.open(node -> SimulatedDormouse.echo(code(node, (ctx, input) -> {
            for (int i = 0; i < THROWN.size(); i++) {
                int number = i;
                Throwable failure = catchThrowable(() -> ctx.step("s" + number, () -> {
                    sim.log("s" + number);
                    sneak(THROWN.get(number));
                }));
                if (!(failure instanceof ActivityFailedException)) {
                    sim.log("s" + number + " came as " + failure.getClass());
                    sneak(failure);
                }
            }
            ctx.sleep(HOUR);
            return "done";
        })));
        WorkflowHandle<String> handle = dormouse.start("w", "w", options, String.class, "");
        assertThat(sim.result(handle)).isEqualTo("done");
        assertThat(sim.log()).hasSize(THROWN.size());
        sim.assertStillWorks(dormouse);
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable thrown) throws T {
        throw (T) thrown;
    }

    @Test
    void exceptionOfTheCodeThatCannotBeLookedAtFailsItsRunOnly() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> SimulatedDormouse.echo(code(node, (ctx, input) -> {
                throw new Nasty();
            })));
            WorkflowException failed = sim.failure(dormouse.start("w", "w", String.class, ""));
            assertThat(failed.getMessage()).contains("Nasty");
            sim.assertStillWorks(dormouse);
        });
    }

    @Test
    void errorOfTheCodeEndsItsRunOrLeavesItStuckOnlyAndIsNotTakenForTheDeathOfItsNode() {
        for (Error error : List.of(
                new Error("own"),
                new AssertionError("no"),
                new StackOverflowError(),
                new NoClassDefFoundError("gone"),
                new OutOfMemoryError("of the heart"))) {
            simulate(sim -> {
                Dormouse dormouse = sim.open(node -> SimulatedDormouse.echo(code(node, (ctx, input) -> {
                    sim.log("try");
                    throw error;
                })));
                WorkflowHandle<String> handle = dormouse.start("w", "w", String.class, "");
                sim.await("an end", () -> isOver(handle.describe().status()));
                assertThat(sim.elapsed()).isLessThan(Duration.ofSeconds(5));
                assertThat(sim.log()).hasSize(1);
                if (handle.describe().status() == RunStatus.FAILED) {
                    assertThat(sim.failure(handle).getMessage())
                            .contains(error.getClass().getName());
                } else {
                    assertThat(handle.describe().trouble())
                            .contains(error.getClass().getName());
                    assertThat(handle.describe().wakeAt()).isPresent();
                }
                sim.assertStillWorks(dormouse);
            });
        }
    }

    private static boolean isOver(RunStatus status) {
        return status == RunStatus.FAILED || status == RunStatus.STUCK;
    }

    @Test
    void namesOfStepsThatAreNotValidUnicodeWorkOrAreRefused() {
        for (String name : List.of("\uD800", "\uDC00\uD800")) {
            simulate(sim -> {
                try {
                    String result = run(sim, (ctx, input) -> {
                        ctx.step(name, () -> sim.log("step"));
                        ctx.sleep(HOUR);
                        return "done";
                    });
                    assertThat(result).isEqualTo("done");
                    assertThat(sim.log()).hasSize(1);
                } catch (WorkflowFailedException refused) {
                    assertThat(refused.getMessage()).contains("[DM1012] Expected");
                }
            });
        }
    }

    @Test
    void namesOfStepsMayBeAnyText() {
        List<String> names = List.of("", " ", "a\nb", "NUL \0", "ä€𝄞", "x".repeat(10_000), "%s {}");
        simulate(sim -> {
            String result = run(sim, (ctx, input) -> {
                for (String name : names) {
                    ctx.step(name, () -> sim.log(name));
                }
                ctx.sleep(HOUR);
                for (String name : names) {
                    ctx.step(name, () -> sim.log(name));
                }
                ctx.sleep(HOUR);
                return "done";
            });
            assertThat(result).isEqualTo("done");
            assertThat(sim.log()).hasSize(2 * names.size());
        });
    }

    @Test
    void stepsThatLeaveTheirThreadInterruptedDoNoHarm() {
        simulate(sim -> {
            String result = run(sim, (ctx, input) -> {
                for (int i = 0; i < 3; i++) {
                    ctx.step("interrupt", () -> Thread.currentThread().interrupt());
                    ctx.sleep(Duration.ofSeconds(1));
                    Thread.currentThread().interrupt();
                    ctx.sleep(HOUR);
                    ctx.step("after", () -> sim.log("after"));
                }
                return "done";
            });
            assertThat(result).isEqualTo("done");
            assertThat(sim.count("after")).isEqualTo(3);
        });
    }

    @Test
    void nothingIsReturnedAsNull() {
        simulate(sim -> {
            assertThat(run(sim, (ctx, input) -> {
                        String text = ctx.step("null", String.class, () -> null);
                        ctx.step("void", () -> sim.log("void"));
                        ctx.sleep(HOUR);
                        return text;
                    }))
                    .isNull();
        });
    }

    @Test
    void committedStepsNeverRunAgainAndTheOneInFlightDoes() {
        simulate(sim -> {
            WorkflowFunction<String, String> code = (ctx, input) -> {
                for (int i = 0; i < 5; i++) {
                    String name = "s" + i;
                    ctx.step(name, () -> {
                        sim.log(name);
                        sim.advance(Duration.ofSeconds(10));
                    });
                }
                return "done";
            };
            Dormouse one = sim.open(node -> code(node, code));
            one.start("w", "w", String.class, "");
            sim.advance(Duration.ofSeconds(25));
            sim.kill(one);
            Dormouse two = sim.open(node -> code(node, code));
            assertThat(sim.result(two.find("w", String.class).orElseThrow())).isEqualTo("done");
            assertThat(sim.log()).containsExactly("s0", "s1", "s2", "s2", "s3", "s4");
        });
    }

    @Test
    void stepThatTakesLongerThanManyLeasesRunsOnce() {
        simulate(sim -> {
            WorkflowFunction<String, String> code = (ctx, input) -> {
                ctx.step("long", () -> {
                    sim.log("long");
                    sim.advance(HOUR);
                });
                return "done";
            };
            Dormouse one = sim.open(node -> code(node, code));
            sim.open(node -> code(node, code));
            assertThat(sim.result(one.start("w", "w", String.class, ""))).isEqualTo("done");
            assertThat(sim.log()).containsExactly("long");
        });
    }
}
