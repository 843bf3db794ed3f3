package dev.dormouse.definition;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.ActivityInterface;
import dev.dormouse.ActivityMethod;
import dev.dormouse.ActivityOptions;
import dev.dormouse.Compensate;
import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.QueueOptions;
import dev.dormouse.RetryPolicy;
import dev.dormouse.WorkflowContext;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ActivityFailedException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.SimulatedDormouse;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Names that {@code @ActivityMethod} declares, and options of single activities. */
class ActivityMethodTest {
    private static final ActivityOptions QUEUED = SimulatedDormouse.ONCE.withQueue("q");

    /** The interface of the first release. */
    @ActivityInterface(name = "Bank")
    interface OldBank {
        String pay(String account);
    }

    /** The interface of the next release: its method is renamed and overloaded. */
    @ActivityInterface(name = "Bank")
    interface Bank {
        @ActivityMethod(name = "pay")
        String transfer(String account);

        @ActivityMethod(name = "payNumber")
        String transfer(int account);
    }

    private record RealBank(SimulatedDormouse sim) implements OldBank, Bank {
        @Override
        public String pay(String account) {
            return transfer(account);
        }

        @Override
        public String transfer(String account) {
            sim.advance(Duration.ofSeconds(10));
            return "paid " + account;
        }

        @Override
        public String transfer(int account) {
            return "paid number " + account;
        }
    }

    private static DormouseBuilder oldRelease(DormouseBuilder node, SimulatedDormouse sim, ActivityOptions options) {
        return Scenario.with(node, (ctx, input) -> {
                    String one = ctx.activities(OldBank.class, options).pay("ada");
                    ctx.sleep(Duration.ofMinutes(1));
                    return one;
                })
                .activities(OldBank.class, new RealBank(sim));
    }

    private static DormouseBuilder newRelease(DormouseBuilder node, SimulatedDormouse sim, ActivityOptions options) {
        return Scenario.with(node, (ctx, input) -> {
                    String one = ctx.activities(Bank.class, options).transfer("ada");
                    ctx.sleep(Duration.ofMinutes(1));
                    return one;
                })
                .activities(Bank.class, new RealBank(sim))
                .queue("q", QueueOptions.DEFAULT);
    }

    @Test
    void renamedMethodContinuesCallsOfTheOldNameInTheRunAndInAQueue() {
        for (ActivityOptions options : List.of(SimulatedDormouse.ONCE, QUEUED)) {
            for (long kill : List.of(1L, 5_000L, 20_000L)) {
                simulate(sim -> {
                    Dormouse one = sim.open(node -> oldRelease(node, sim, options));
                    Scenario.start(one);
                    sim.advance(Duration.ofMillis(kill));
                    sim.kill(one);
                    Dormouse two = sim.open(node -> newRelease(node, sim, options));
                    WorkflowHandle<String> handle = two.find("w", String.class).orElseThrow();
                    assertThat(sim.result(handle)).isEqualTo("paid ada");
                    assertThat(handle.history().toString()).contains("Bank.pay").doesNotContain("transfer");
                });
            }
        }
    }

    @Test
    void overloadedMethodsWithDeclaredNamesExecuteInAQueueAndByName() {
        simulate(sim -> {
            Dormouse dormouse = sim.open(node -> Scenario.with(node, (ctx, input) -> {
                        Bank bank = ctx.activities(Bank.class, QUEUED);
                        return bank.transfer("ada") + ", " + bank.transfer(7) + ", "
                                + ctx.activity("named", "Bank.payNumber", SimulatedDormouse.ONCE, String.class, 8);
                    })
                    .activities(Bank.class, new RealBank(sim))
                    .queue("q", QueueOptions.DEFAULT));
            assertThat(sim.result(Scenario.start(dormouse))).isEqualTo("paid ada, paid number 7, paid number 8");
        });
    }

    interface Parent {
        @ActivityMethod(name = "first")
        String one();

        @ActivityMethod(name = "second")
        String two();
    }

    interface Inherited extends Parent {
        @Override
        String one();

        @Override
        @ActivityMethod(name = "deux")
        String two();

        String three();

        @Compensate(forActivity = "first")
        void undo();
    }

    private record Numbers(SimulatedDormouse sim, Map<String, Integer> attempts) implements Inherited {
        @Override
        public String one() {
            return failing("one");
        }

        @Override
        public String two() {
            return failing("two");
        }

        @Override
        public String three() {
            return failing("three");
        }

        @Override
        public void undo() {
            sim.log("undo");
        }

        private String failing(String name) {
            attempts.merge(name, 1, Integer::sum);
            throw new IllegalStateException("as it should");
        }
    }

    private static ActivityOptions times(int attempts) {
        return ActivityOptions.DEFAULT.withRetry(RetryPolicy.DEFAULT.withMaxAttempts(attempts));
    }

    @Test
    void optionsOfAnActivityReplaceThoseOfTheStubAndAreFoundByItsDeclaredOrInheritedName() {
        simulate(sim -> {
            Map<String, Integer> attempts = new HashMap<>();
            Dormouse dormouse = sim.open(node -> Scenario.with(node, (ctx, input) -> {
                        Inherited stub =
                                ctx.activities(Inherited.class, times(1), Map.of("first", times(2), "deux", times(3)));
                        for (Runnable call : List.<Runnable>of(stub::one, stub::two, stub::three)) {
                            assertThat(catchThrowable(call::run)).isInstanceOf(ActivityFailedException.class);
                        }
                        return "";
                    })
                    .activities(Inherited.class, new Numbers(sim, attempts)));
            sim.result(Scenario.start(dormouse));
            assertThat(attempts).isEqualTo(Map.of("one", 2, "two", 3, "three", 1));
        });
    }

    @Test
    void optionsForAnUnknownActivityAreRefusedWithTheNamesThatExist() {
        Scenario.returns("", sim -> (ctx, input) -> {
            assertThat(refused(ctx, Map.of("one", times(1))))
                    .contains("[deux, first, three, undo]", "'one'", "declares the name 'first'");
            assertThat(refused(ctx, Map.of("secnd", times(1)))).contains("'secnd'", "Correct the name");
            Map<String, ActivityOptions> none = new HashMap<>();
            none.put("first", null);
            assertThat(refused(ctx, none)).contains("null");
            return "";
        });
    }

    private static String refused(WorkflowContext ctx, Map<String, ActivityOptions> options) {
        Throwable problem = catchThrowable(() -> ctx.activities(Inherited.class, ActivityOptions.DEFAULT, options));
        assertClear(problem, ErrorCode.BAD_ARGUMENT);
        return problem.getMessage();
    }

    interface Same {
        @ActivityMethod(name = "a")
        void one();

        @ActivityMethod(name = "a")
        void two();
    }

    interface NameOfAnother {
        @ActivityMethod(name = "two")
        void one();

        void two();
    }

    interface Dotted {
        @ActivityMethod(name = "a.b")
        void one();
    }

    interface Colon {
        @ActivityMethod(name = "a:b")
        void one();
    }

    interface Empty {
        @ActivityMethod(name = "")
        void one();
    }

    interface Static {
        @ActivityMethod(name = "a")
        static void one() {}
    }

    interface CompensatesTheOldName {
        @ActivityMethod(name = "a")
        void one();

        @Compensate(forActivity = "one")
        void undo();
    }

    @Test
    void badNamesAreRefusedWhereTheyAreRegistered() {
        Map<Class<?>, String> bad = new LinkedHashMap<>();
        bad.put(Same.class, "2 methods have the name 'a'");
        bad.put(NameOfAnother.class, "2 methods have the name 'two'");
        bad.put(Dotted.class, "'a.b'");
        bad.put(Colon.class, "'a:b'");
        bad.put(Empty.class, "''");
        bad.put(Static.class, "is static");
        bad.put(CompensatesTheOldName.class, "none named 'one'");
        bad.forEach((type, text) -> {
            Throwable problem = catchThrowable(() -> register(type));
            assertClear(problem, ErrorCode.BAD_ACTIVITY_INTERFACE);
            assertThat(problem.getMessage()).contains(type.getName(), text);
        });
    }

    @SuppressWarnings("unchecked")
    private static <A> void register(Class<?> type) {
        Dormouse.builder().activities((Class<A>) type, (A) "no matter what");
    }
}
