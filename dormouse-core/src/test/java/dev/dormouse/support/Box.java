package dev.dormouse.support;

import dev.dormouse.QueryMethod;
import dev.dormouse.SignalMethod;
import dev.dormouse.UpdateMethod;
import dev.dormouse.UpdateValidatorMethod;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A workflow with signals, queries, updates and a validator. */
@WorkflowInterface
public interface Box {
    @WorkflowMethod
    String run(String input);

    @SignalMethod
    void put(String text);

    @SignalMethod(name = "put-items")
    void putItems(List<Item> items, Map<String, Instant> times);

    @SignalMethod
    void add(int number);

    @SignalMethod
    void end();

    @QueryMethod
    List<String> seen();

    @QueryMethod
    String look(String at);

    @UpdateMethod
    String change(String text);

    @UpdateMethod
    void set(String text);

    @UpdateValidatorMethod(update = "set")
    void mayBeSet(String text);

    record Item(String name, int number) {}

    /** Collects the arguments of its messages until {@link #end}. Tests override single methods. */
    class Open implements Box {
        public final List<String> seen = new ArrayList<>();
        public boolean ended;

        @Override
        public String run(String input) {
            Workflow.await(() -> ended);
            return String.join(",", seen);
        }

        @Override
        public void put(String text) {
            seen.add(text);
        }

        @Override
        public void putItems(List<Item> items, Map<String, Instant> times) {
            for (Item item : items) {
                seen.add(item.name() + item.number());
            }
            times.forEach((name, time) -> seen.add(name + time.getEpochSecond()));
        }

        @Override
        public void add(int number) {
            seen.add("" + number);
        }

        @Override
        public void end() {
            ended = true;
        }

        @Override
        public List<String> seen() {
            return seen;
        }

        @Override
        public String look(String at) {
            return at + seen.size();
        }

        @Override
        public String change(String text) {
            seen.add(text);
            return "changed to " + text;
        }

        @Override
        public void set(String text) {
            seen.add(text);
        }

        @Override
        public void mayBeSet(String text) {
            if (text.startsWith("bad")) {
                throw new IllegalArgumentException(text + " must not be set");
            }
        }

        /** Executes a step that takes {@code time}. */
        public static void longStep(SimulatedDormouse sim, String name, Duration time) {
            Workflow.step(name, () -> {
                sim.log(name + " begins");
                sim.advance(time);
                sim.log(name + " ends");
            });
        }
    }

    /** Waits repeatedly for a time so short that the run stays in memory. */
    class Parked extends Open {
        @Override
        public String run(String input) {
            while (!Workflow.await(Duration.ofSeconds(3), () -> ended)) {
                // waits again
            }
            return String.join(",", seen);
        }
    }
}
