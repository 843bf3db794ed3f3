package dev.dormouse.saga;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.dormouse.Compensate;
import dev.dormouse.Dormouse;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.support.Scenario;
import dev.dormouse.support.UndoableActivities;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Invalid compensations, which are refused at registration or at use, and unusual but valid ones. */
class BadCompensateTest {
    interface Unknown {
        void act();

        @Compensate(forActivity = "acd")
        void undo();
    }

    interface Empty {
        @Compensate(forActivity = "")
        void undo();
    }

    interface Two {
        void act();

        @Compensate(forActivity = "act")
        void undo();

        @Compensate(forActivity = "act")
        void undoAgain();
    }

    interface Overloaded {
        void act(String text);

        void act(int number);

        @Compensate(forActivity = "act")
        void undo(String text);
    }

    interface OfItself {
        @Compensate(forActivity = "undo")
        void undo();
    }

    interface OfACompensation {
        void act();

        @Compensate(forActivity = "act")
        void undo();

        @Compensate(forActivity = "undo")
        void redo();
    }

    interface OtherParameter {
        void act(String text);

        @Compensate(forActivity = "act")
        void undo(int number);
    }

    interface OtherElements {
        void act(List<String> texts);

        @Compensate(forActivity = "act")
        void undo(List<Integer> numbers);
    }

    interface OtherOrder {
        void act(String text, int number);

        @Compensate(forActivity = "act")
        void undo(int number, String text);
    }

    interface OtherResult {
        int act(String text);

        @Compensate(forActivity = "act")
        void undo(String text, long result);
    }

    interface OnlyTheResult {
        int act(String text);

        @Compensate(forActivity = "act")
        void undo(int result);
    }

    interface ResultOfNothing {
        void act(String text);

        @Compensate(forActivity = "act")
        void undo(String text, Void result);
    }

    interface TooMany {
        int act(String text);

        @Compensate(forActivity = "act")
        void undo(String text, int result, int more);
    }

    interface Static {
        void act();

        @Compensate(forActivity = "act")
        static void undo() {}
    }

    private static Map<Class<?>, String> bad() {
        Map<Class<?>, String> bad = new LinkedHashMap<>();
        bad.put(Unknown.class, "none named 'acd'");
        bad.put(Empty.class, "none named ''");
        bad.put(Two.class, "also undoes it");
        bad.put(Overloaded.class, "2 named 'act'");
        bad.put(OfItself.class, "'undo' is a compensation itself");
        bad.put(OfACompensation.class, "'undo' is a compensation itself");
        bad.put(OtherParameter.class, "[int]");
        bad.put(OtherElements.class, "[java.util.List<java.lang.Integer>]");
        bad.put(OtherOrder.class, "[int, java.lang.String]");
        bad.put(OtherResult.class, "[java.lang.String, long]");
        bad.put(OnlyTheResult.class, "[int]");
        bad.put(ResultOfNothing.class, "returns void");
        bad.put(TooMany.class, "[java.lang.String, int, int]");
        bad.put(Static.class, "static");
        return bad;
    }

    @Test
    void badDeclarationsAreRefusedWhereTheyAreRegistered() {
        bad().forEach((type, text) -> {
            for (int time = 0; time < 2; time++) {
                Throwable problem = catchThrowable(() -> register(type));
                assertClear(problem, ErrorCode.BAD_ACTIVITY_INTERFACE);
                assertThat(problem.getMessage()).contains(type.getName() + ".", text);
            }
        });
    }

    @SuppressWarnings("unchecked")
    private static <A> void register(Class<?> type) {
        Dormouse.builder().activities((Class<A>) type, (A) "no matter what");
    }

    @Test
    void badDeclarationsAreRefusedWhereTheyAreUsed() {
        Set<Class<?>> types = bad().keySet();
        Scenario.returns("", sim -> (ctx, input) -> {
            for (Class<?> type : types) {
                DormouseException problem = catchThrowableOfType(DormouseException.class, () -> ctx.activities(type));
                assertClear(problem, ErrorCode.BAD_ACTIVITY_INTERFACE);
            }
            return "";
        });
    }

    interface Made<T, R> {
        R make(T what, List<T> more);

        @Compensate(forActivity = "make")
        void unmake(T what, List<T> more, R result);
    }

    interface AlsoMade {
        String make(String what, List<String> more);
    }

    /** Both parents declare the same method; this interface declares it a third time, and javac adds a fourth one. */
    interface MadeOfText extends Made<String, String>, AlsoMade {
        @Override
        String make(String what, List<String> more);

        default void overloaded() {}

        default void overloaded(String text) {}
    }

    @Test
    void compensationsOfInheritedAndGenericInterfacesAreFound() {
        simulate(sim -> {
            MadeOfText real = new MadeOfText() {
                @Override
                public String make(String what, List<String> more) {
                    sim.log("make " + what + more);
                    return "made " + what;
                }

                @Override
                public void unmake(String what, List<String> more, String result) {
                    sim.log("unmake " + what + more + result);
                }
            };
            Dormouse dormouse = sim.open(node -> Scenario.with(node, (ctx, input) -> {
                        MadeOfText stub = ctx.activities(MadeOfText.class);
                        Made<String, String> parent = stub;
                        AlsoMade other = stub;
                        stub.make("a", List.of("x"));
                        parent.make("b", List.of("y"));
                        other.make("c", List.of());
                        throw new UndoableActivities.Refused("way");
                    })
                    .activities(MadeOfText.class, real));
            UndoableActivities.assertRefused(sim.failure(Scenario.start(dormouse)));
            assertThat(sim.log())
                    .containsExactly(
                            "make a[x]",
                            "make b[y]",
                            "make c[]",
                            "unmake c[]made c",
                            "unmake b[y]made b",
                            "unmake a[x]made a");
        });
    }
}
