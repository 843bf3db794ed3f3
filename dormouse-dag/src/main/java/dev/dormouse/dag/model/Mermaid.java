package dev.dormouse.dag.model;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A Mermaid flowchart of a DAG, with the state of a run in colors. */
public final class Mermaid {
    private static final Map<StepStatus, String> COLORS = colors();

    private Mermaid() {}

    private static Map<StepStatus, String> colors() {
        Map<StepStatus, String> colors = new EnumMap<>(StepStatus.class);
        colors.put(StepStatus.RUNNING, "fill:#dbeafe,stroke:#2563eb,color:#1e3a8a");
        colors.put(StepStatus.SLEEPING, "fill:#ede9fe,stroke:#7c3aed,color:#4c1d95,stroke-dasharray:4");
        colors.put(StepStatus.WAITING, "fill:#fef9c3,stroke:#ca8a04,color:#713f12,stroke-dasharray:4");
        colors.put(StepStatus.COMPLETED, "fill:#dcfce7,stroke:#16a34a,color:#14532d");
        colors.put(StepStatus.FAILED, "fill:#fee2e2,stroke:#dc2626,color:#7f1d1d");
        colors.put(StepStatus.HANDLED, "fill:#ffedd5,stroke:#ea580c,color:#7c2d12");
        colors.put(StepStatus.NOT_APPROVED, "fill:#ffedd5,stroke:#ea580c,color:#7c2d12");
        colors.put(StepStatus.SKIPPED, "fill:#f3f4f6,stroke:#9ca3af,color:#6b7280,stroke-dasharray:2");
        colors.put(StepStatus.CANCELLED, "fill:#f3f4f6,stroke:#6b7280,color:#374151");
        colors.put(StepStatus.COMPENSATED, "fill:#e5e7eb,stroke:#4b5563,color:#1f2937");
        return colors;
    }

    /** The state of a step in a run, and one more line, which may be empty. */
    public record Note(StepStatus status, String line) {}

    /**
     * Returns the flowchart.
     *
     * @param notes by step id; empty for the DAG alone
     */
    public static String picture(DagDefinition dag, Map<String, Note> notes) {
        Map<String, String> nodes = new HashMap<>();
        StringBuilder out = new StringBuilder("flowchart TD\n");
        for (Step step : dag.steps()) {
            String node = "s" + nodes.size();
            nodes.put(step.id(), node);
            out.append("  ")
                    .append(node)
                    .append(shape(step, notes.get(step.id())))
                    .append('\n');
        }
        for (Step step : dag.steps()) {
            String node = nodes.get(step.id());
            step.after().forEach(id -> arrow(out, nodes.get(id), " --> ", node));
            arrow(out, node, " -. on failure .-> ", nodes.get(step.onFailure()));
            arrow(out, node, " -. undone by .-> ", nodes.get(step.compensate()));
        }
        classes(out, nodes, notes);
        return out.toString();
    }

    private static void arrow(StringBuilder out, @Nullable String from, String how, @Nullable String to) {
        if (to != null) {
            out.append("  ").append(from).append(how).append(to).append('\n');
        }
    }

    private static String shape(Step step, @Nullable Note note) {
        String text = "<b>" + escaped(step.id()) + "</b><br/>" + escaped(says(step.action()))
                + (note == null ? "" : "<br/>" + escaped(note.status().name()))
                + (note == null || note.line().isEmpty() ? "" : "<br/>" + escaped(note.line()));
        Action action = step.action();
        List<String> brackets = action instanceof Action.Sleep
                ? List.of("([\"", "\"])")
                : action instanceof Action.WaitForEvent
                        ? List.of("{{\"", "\"}}")
                        : action instanceof Action.Approval
                                ? List.of("{\"", "\"}")
                                : action instanceof Action.Task ? List.of("[\"", "\"]") : List.of("[[\"", "\"]]");
        return brackets.get(0) + text + brackets.get(1);
    }

    private static String says(Action action) {
        if (action instanceof Action.Task task) {
            return task.activity();
        } else if (action instanceof Action.Sleep sleep) {
            return says(sleep.time());
        } else if (action instanceof Action.WaitForEvent wait) {
            return "waits for " + wait.event() + ", up to " + wait.timeout();
        } else if (action instanceof Action.Approval approval) {
            return "approval within " + approval.timeout();
        } else if (action instanceof Action.MapOver map) {
            return map.activity() + " for each of " + map.over();
        }
        return "runs " + ((Action.SubWorkflow) action).name();
    }

    private static String says(SleepTime time) {
        if (time instanceof SleepTime.For fixed) {
            return "sleeps " + fixed.duration();
        } else if (time instanceof SleepTime.ForPath by) {
            return "sleeps for " + by.path();
        } else if (time instanceof SleepTime.Until until) {
            return "sleeps until " + until.instant();
        } else if (time instanceof SleepTime.UntilPath by) {
            return "sleeps until " + by.path();
        }
        SleepTime.Next next = (SleepTime.Next) time;
        return "sleeps until " + next.cron().cron() + " in " + next.cron().zone();
    }

    /**
     * Mermaid reads {@code #code;} in labels. With these characters escaped, nothing else is special between quotes.
     */
    private static String escaped(String text) {
        StringBuilder out = new StringBuilder();
        text.codePoints().forEach(point -> {
            if (point < ' ' || point == 0x2028 || point == 0x2029) {
                out.append(' ');
            } else if ("\"#<>&;`{}[]|\\".indexOf(point) >= 0) {
                out.append('#').append(point).append(';');
            } else {
                out.appendCodePoint(point);
            }
        });
        return out.toString();
    }

    private static void classes(StringBuilder out, Map<String, String> nodes, Map<String, Note> notes) {
        COLORS.forEach((status, color) -> {
            List<String> those = nodes.entrySet().stream()
                    .filter(node -> {
                        Note note = notes.get(node.getKey());
                        return note != null && note.status() == status;
                    })
                    .map(Map.Entry::getValue)
                    .sorted()
                    .toList();
            if (!those.isEmpty()) {
                String name = status.name().toLowerCase(Locale.ROOT);
                out.append("  classDef ").append(name).append(' ').append(color).append('\n');
                out.append("  class ")
                        .append(String.join(",", those))
                        .append(' ')
                        .append(name)
                        .append('\n');
            }
        });
    }
}
