package dev.dormouse.dag.model;

import dev.dormouse.dag.data.Path;
import dev.dormouse.dag.data.Template;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a step does. */
public sealed interface Action {

    /** Calls an activity. */
    record Task(String activity) implements Action {}

    /** Holds nothing but the run's alarm. */
    record Sleep(SleepTime time) implements Action {}

    /**
     * Waits for an event.
     *
     * @param match what the event must hold, by path
     */
    record WaitForEvent(String event, Map<String, Template> match, Duration timeout) implements Action {}

    /**
     * Waits for a person.
     *
     * @param ask the activity that asks for the approval; null for none
     */
    record Approval(Duration timeout, @Nullable String ask) implements Action {}

    /**
     * Calls an activity for each item of an array.
     *
     * @param parallelism how many at a time
     * @param limit how many items there may be
     */
    record MapOver(String activity, Path over, int parallelism, int limit) implements Action {}

    /**
     * Starts another workflow and waits for its result.
     *
     * @param isDag whether that is a DAG, as opposed to a workflow that is code
     */
    record SubWorkflow(String name, boolean isDag) implements Action {}

    /** How JSON calls it. */
    default String kind() {
        if (this instanceof Task) {
            return "task";
        } else if (this instanceof Sleep) {
            return "sleep";
        } else if (this instanceof WaitForEvent) {
            return "waitForEvent";
        } else if (this instanceof Approval) {
            return "approval";
        }
        return this instanceof MapOver ? "map" : "subWorkflow";
    }

    /** Whether somebody works in it, so that it can be limited, tried again and timed out. */
    default boolean isWork() {
        return this instanceof Task || this instanceof MapOver || this instanceof SubWorkflow;
    }

    /** Where it looks into the data. */
    default List<Path> paths() {
        if (this instanceof Sleep sleep) {
            return sleep.time().looksAt().stream().toList();
        } else if (this instanceof WaitForEvent wait) {
            return wait.match().values().stream()
                    .flatMap(value -> value.paths().stream())
                    .toList();
        }
        return this instanceof MapOver map ? List.of(map.over()) : List.of();
    }
}
