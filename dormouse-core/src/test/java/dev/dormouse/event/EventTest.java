package dev.dormouse.event;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.PublishedEvent;
import dev.dormouse.TypeRef;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.support.SimulatedDormouse;
import dev.dormouse.testing.sim.FaultProfile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Events that are published and awaited on different nodes. */
class EventTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final FaultProfile HOSTILE = FaultProfile.HOSTILE.withCrashes(0);

    /** Waits for an event with its input as id, and returns its number. */
    private static DormouseBuilder waiting(DormouseBuilder builder) {
        return builder.workflow(
                "wait",
                Integer.class,
                String.class,
                (ctx, id) -> ctx.waitForEvent("paid", Map.of("order.id", id), HOUR)
                        .map(event -> String.valueOf(event.payload(new TypeRef<Map<String, Object>>() {})
                                .get("n")))
                        .orElse("too late"));
    }

    private static Map<String, Object> paid(int id, int number) {
        return Map.of("order", Map.of("id", id), "n", number);
    }

    @Test
    void eventReachesARunOnAnotherNode() {
        simulate(sim -> {
            Dormouse one = sim.open(EventTest::waiting);
            Dormouse two = sim.open(builder -> builder);
            WorkflowHandle<String> handle = one.start("wait", "w", String.class, 7);
            sim.advance(SECOND);
            two.publish("paid", paid(8, 1));
            two.publish("paid", paid(7, 2));
            assertThat(sim.result(handle)).isEqualTo("2");
            assertThat(sim.elapsed()).isLessThan(SECOND.multipliedBy(3));
        });
    }

    @Test
    void timeIsUp() {
        simulate(sim -> {
            Dormouse one = sim.open(EventTest::waiting);
            assertThat(sim.result(one.start("wait", "w", String.class, 7))).isEqualTo("too late");
            assertThat(sim.elapsed()).isBetween(HOUR, HOUR.plus(SECOND.multipliedBy(2)));
        });
    }

    /** Event and wait match, however close in time they are. */
    @Test
    void eventAtTheSameTimeIsNotMissed() {
        for (int shards : new int[] {1, 3}) {
            simulate(shards, sim -> {
                Dormouse one = sim.open(EventTest::waiting);
                Dormouse two = sim.open(EventTest::waiting);
                List<WorkflowHandle<String>> handles = new ArrayList<>();
                for (int i = 0; i < 30; i++) {
                    int id = i;
                    sim.inBackground(() -> handles.add(one.start("wait", "w" + id, String.class, id)));
                    sim.advance(Duration.ofMillis(i % 7));
                    sim.inBackground(() -> two.publish("paid", paid(id, id)));
                    sim.advance(Duration.ofMillis(i % 5));
                }
                sim.advance(SECOND.multipliedBy(5));
                assertThat(handles).hasSize(30);
                assertThat(handles.stream().map(handle -> handle.describe().status()))
                        .containsOnly(RunStatus.COMPLETED);
            });
        }
    }

    /** Publishes an event; returns its number, or an empty list if its node died before. */
    private static List<Integer> published(Dormouse node, int id) {
        try {
            node.publish("paid", paid(id, id));
            return List.of(id);
        } catch (DormouseException died) {
            return List.of();
        }
    }

    @Test
    void publisherThatDiesIsReplaced() {
        simulate(sim -> {
            List<Integer> accepted = new ArrayList<>();
            Dormouse one = sim.open(EventTest::waiting);
            Dormouse two = sim.open(builder -> builder);
            List<WorkflowHandle<String>> handles = IntStream.range(0, 10)
                    .mapToObj(i -> one.start("wait", "w" + i, String.class, i))
                    .toList();
            sim.advance(SECOND);
            for (int i = 0; i < 10; i++) {
                int id = i;
                sim.inBackground(() -> accepted.addAll(published(two, id)));
            }
            sim.advance(Duration.ofMillis(6));
            sim.kill(two);
            sim.advance(Duration.ofMinutes(2));
            assertThat(accepted).isNotEmpty();
            for (int i : accepted) {
                assertThat(sim.result(handles.get(i))).isEqualTo(String.valueOf(i));
            }
        });
    }

    @Test
    void acceptedEventArrivesDespiteCrashes() {
        simulate(sim -> {
            Dormouse one = sim.open(EventTest::waiting);
            Dormouse two = sim.open(builder -> builder);
            WorkflowHandle<String> handle = one.start("wait", "w", String.class, 1);
            sim.advance(SECOND);
            two.publish("paid", paid(1, 5));
            sim.kill(two);
            assertThat(sim.result(handle)).isEqualTo("5");
        });
    }

    @Test
    void hostileStoreLosesNothing() {
        simulate(sim -> {
            Dormouse one = sim.open(HOSTILE, EventTest::waiting);
            Dormouse two = sim.open(HOSTILE, EventTest::waiting);
            for (int i = 0; i < 20; i++) {
                int id = i;
                sim.inBackground(() -> retried(sim, () -> one.start("wait", "w" + id, String.class, id)));
                sim.inBackground(() -> retried(sim, () -> two.publishOnce("k" + id, "paid", paid(id, id))));
                sim.advance(Duration.ofMillis(50));
            }
            sim.advance(Duration.ofMinutes(10));
            sim.behave(one, FaultProfile.CALM);
            sim.behave(two, FaultProfile.CALM);
            sim.advance(Duration.ofMinutes(2));
            Map<String, String> results = IntStream.range(0, 20)
                    .boxed()
                    .collect(Collectors.toMap(
                            i -> "w" + i,
                            i -> sim.result(one.find("w" + i, String.class).orElseThrow())));
            results.forEach((id, result) -> assertThat("w" + result).isEqualTo(id));
        });
    }

    private static void retried(SimulatedDormouse sim, Runnable call) {
        for (int i = 0; i < 50; i++) {
            try {
                call.run();
                return;
            } catch (DormouseException noAnswer) {
                sim.log("again");
            }
        }
    }

    @Test
    void waitThatWasCancelledLeavesNothingBehind() {
        simulate(sim -> {
            Dormouse one = sim.open(builder -> builder.workflow("wait", String.class, String.class, (ctx, id) -> {
                ctx.waitForEvent("paid", Map.of());
                return "paid";
            }));
            WorkflowHandle<String> handle = one.start("wait", "w", String.class, "");
            sim.advance(SECOND);
            assertThat(subscriptions(sim)).isEqualTo(1);
            handle.cancel("enough");
            sim.advance(SECOND);
            assertThat(handle.describe().status()).isEqualTo(RunStatus.CANCELLED);
            assertThat(subscriptions(sim)).isZero();
        });
    }

    private static int subscriptions(SimulatedDormouse sim) {
        return sim.store().subscriptions(0, "paid", List.of("*"), null, 100).size();
    }

    @Test
    void waitThatWasMetLeavesNothingBehind() {
        simulate(sim -> {
            Dormouse one = sim.open(builder -> builder.workflow("wait", String.class, String.class, (ctx, id) -> {
                PublishedEvent event = ctx.waitForEvent("paid", Map.of());
                assertThat(event.name()).isEqualTo("paid");
                return event.id() + " " + event.payload(String.class);
            }));
            WorkflowHandle<String> handle = one.start("wait", "w", String.class, "");
            sim.advance(SECOND);
            String id = one.publish("paid", "x");
            assertThat(sim.result(handle)).isEqualTo(id + " x");
            assertThat(subscriptions(sim)).isZero();
        });
    }

    @Test
    void signalsAndEventsDoNotMix() {
        simulate(sim -> {
            Dormouse one = sim.open(builder -> builder.workflow("wait", String.class, String.class, (ctx, id) -> {
                String event = ctx.waitForEvent("tick", Map.of()).payload(String.class);
                String signal = ctx.waitForSignal(HOUR).orElseThrow().value(String.class);
                return event + " " + signal;
            }));
            WorkflowHandle<String> handle = one.start("wait", "w", String.class, "");
            sim.advance(SECOND);
            handle.signal("tick", "signal");
            sim.advance(SECOND);
            one.publish("tick", "event");
            assertThat(sim.result(handle)).isEqualTo("event signal");
        });
    }

    /** A value that cannot be serialized. */
    private record Loop() {
        @SuppressWarnings("unused") // by the codec
        public Loop getSelf() {
            return this;
        }
    }

    @Test
    void badInputIsRefused() {
        simulate(sim -> {
            Dormouse one = sim.open(EventTest::waiting);
            List<Runnable> calls = List.of(
                    () -> one.publish("", "x"),
                    () -> one.publish(null, "x"),
                    () -> one.publish("x".repeat(201), "x"),
                    () -> one.publish("\uD800", "x"),
                    () -> one.publishOnce("", "e", "x"),
                    () -> one.publishOnce(null, "e", "x"),
                    () -> one.publish("e", IntStream.range(0, 2_000).boxed().toList()));
            for (Runnable call : calls) {
                assertThatThrownBy(call::run)
                        .isInstanceOfSatisfying(
                                DormouseException.class,
                                refused -> assertThat(refused.code()).isEqualTo(ErrorCode.BAD_ARGUMENT));
            }
            assertThatThrownBy(() -> one.publish("e", new Loop()))
                    .isInstanceOfSatisfying(
                            DormouseException.class,
                            refused -> assertThat(refused.code()).isEqualTo(ErrorCode.PAYLOAD_NOT_SERIALIZABLE));
        });
    }
}
