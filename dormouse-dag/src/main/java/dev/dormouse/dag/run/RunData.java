package dev.dormouse.dag.run;

import dev.dormouse.Workflow;
import dev.dormouse.WorkflowInfo;
import dev.dormouse.dag.data.DagErrors;
import dev.dormouse.dag.data.JsonTree;
import dev.dormouse.dag.data.Template;
import dev.dormouse.dag.model.DagDefinition;
import dev.dormouse.dag.model.Step;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The data that the steps of a run can read: {@code $.input}, {@code $.steps.ID} and {@code $.run}. An output is
 * dropped when no remaining step reads it, so that a long run holds no more memory than it needs. Confined to the run's
 * coroutines.
 */
final class RunData {
    static final String FAILURE = "failure";
    private static final String STEPS = "steps";

    private final Map<String, @Nullable Object> tree = new HashMap<>();
    private final Map<String, @Nullable Object> outputs = new HashMap<>();
    private final Map<String, Set<String>> readers = new HashMap<>();
    private final Set<String> kept = new HashSet<>();

    RunData(DagDefinition dag, @Nullable Object input, Set<String> last) {
        tree.putAll(roots(input));
        tree.put(STEPS, outputs);
        for (Step step : dag.steps()) {
            step.reads()
                    .forEach(read -> readers.computeIfAbsent(read, any -> new HashSet<>())
                            .add(step.id()));
        }
        if (dag.output() == null) {
            kept.addAll(last);
        } else {
            dag.output().paths().forEach(path -> path.step().ifPresent(kept::add));
        }
    }

    /** Returns the data that exists before the first step. */
    static Map<String, @Nullable Object> roots(@Nullable Object input) {
        WorkflowInfo info = Workflow.info();
        Map<String, @Nullable Object> roots = new HashMap<>();
        roots.put("input", input);
        roots.put("run", Map.of("id", info.runId().toString(), "workflowId", info.workflowId()));
        return roots;
    }

    /** Returns the single values that an event must have, by path. */
    static Map<String, @Nullable Object> filled(Map<String, Template> match, Map<String, @Nullable Object> data) {
        Map<String, @Nullable Object> filled = new LinkedHashMap<>();
        match.forEach((path, value) -> {
            Object wanted = value.fill(data);
            if (wanted instanceof Map || wanted instanceof List) {
                throw DagErrors.data("Expected a single value to compare with " + path + " of an event, but it is "
                        + JsonTree.kind(wanted) + ". Correct the match or the data.");
            }
            filled.put(path, wanted);
        });
        return filled;
    }

    /** Returns all data. */
    Map<String, @Nullable Object> tree() {
        return tree;
    }

    /** Returns a copy of the data with one more root. */
    Map<String, @Nullable Object> with(String root, @Nullable Object value) {
        Map<String, @Nullable Object> more = new HashMap<>(tree);
        more.put(root, value);
        return more;
    }

    /**
     * Returns the data for a compensate step. Without an input of its own it sees the whole output of the compensated
     * step.
     */
    Map<String, @Nullable Object> ofUndone(String step, Step helper) {
        if (helper.input() != null) {
            return tree;
        }
        Map<String, @Nullable Object> undone = new HashMap<>();
        undone.put(step, outputs.get(step));
        return with(STEPS, undone);
    }

    @Nullable
    Object output(String step) {
        return outputs.get(step);
    }

    void put(String step, @Nullable Object output) {
        outputs.put(step, output);
    }

    /** Called when a step is over: drops the outputs that only this step had still to read. */
    void over(Step step) {
        for (String read : step.reads()) {
            Set<String> left = readers.get(read);
            if (left != null && left.remove(step.id())) {
                forgetIfUnread(read);
            }
        }
    }

    void forgetIfUnread(String step) {
        if (!kept.contains(step) && readers.getOrDefault(step, Set.of()).isEmpty()) {
            outputs.remove(step);
        }
    }

    /** Returns the default input of a step. */
    Map<String, @Nullable Object> everything(Step step, Map<String, @Nullable Object> data) {
        Map<String, @Nullable Object> all = new LinkedHashMap<>();
        all.put("input", tree.get("input"));
        Map<String, @Nullable Object> before = new LinkedHashMap<>();
        step.after().forEach(id -> before.put(id, outputs.get(id)));
        all.put(STEPS, data.get(STEPS) == outputs ? before : data.get(STEPS));
        if (data.containsKey(FAILURE)) {
            all.put(FAILURE, data.get(FAILURE));
        }
        return all;
    }
}
