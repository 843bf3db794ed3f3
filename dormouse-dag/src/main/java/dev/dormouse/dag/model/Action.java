package dev.dormouse.dag.model;

import dev.dormouse.dag.data.Path;
import dev.dormouse.dag.data.Template;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The action of a step. */
public sealed interface Action {

    /** A step that calls an activity. */
    record Task(String activity) implements Action {}

    /** A step that sleeps. It holds nothing except the run's alarm. */
    record Sleep(SleepTime time) implements Action {}

    /**
     * A step that waits for an event.
     *
     * @param match the values that the event must have, by path
     */
    record WaitForEvent(String event, Map<String, Template> match, Duration timeout) implements Action {}

    /**
     * A step that waits for the decision of a person.
     *
     * @param ask the activity that asks for the approval; null for none
     */
    record Approval(Duration timeout, @Nullable String ask) implements Action {}

    /**
     * A step that calls an activity for each item of an array.
     *
     * @param parallelism the number of items processed at a time
     * @param limit the maximum number of items
     */
    record MapOver(String activity, Path over, int parallelism, int limit) implements Action {}

    /**
     * A step that starts another workflow and waits for its result.
     *
     * @param isDag true if it is a DAG, false if it is a workflow written in Java
     */
    record SubWorkflow(String name, boolean isDag) implements Action {}

    /** Returns the name of the action in JSON. */
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

    /** Returns true if the action executes code, so that it can have a limit, retries and a timeout. */
    default boolean isWork() {
        return this instanceof Task || this instanceof MapOver || this instanceof SubWorkflow;
    }

    /** Returns the paths that the action reads. */
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
