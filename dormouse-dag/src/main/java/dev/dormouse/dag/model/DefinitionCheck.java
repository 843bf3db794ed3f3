package dev.dormouse.dag.model;

import dev.dormouse.dag.data.DagErrors;
import dev.dormouse.dag.data.JsonTree;
import dev.dormouse.dag.data.Path;
import dev.dormouse.dag.data.Template;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The validation of a definition before it runs. */
final class DefinitionCheck {
    private static final Pattern ID = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,99}");
    private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}][\\p{L}\\p{N}._ -]{0,99}");
    private static final Pattern EVENT_PATH =
            Pattern.compile("(?:\\$\\.)?+[^.\\[\\]$]++(?:\\.[^.\\[\\]]++|\\[\\d{1,9}])*+");
    private static final Duration LONGEST = Duration.ofDays(3_650);
    private static final Instant FIRST = Instant.EPOCH;
    private static final Instant LAST = Instant.parse("9999-12-31T00:00:00Z");
    private static final int QUEUE_NAME = 190;
    private static final int MOST_STEPS = 10_000;
    private static final int MOST_ITEMS = 100_000;
    private static final int MOST_PARALLEL = 1_000;
    private static final int SHOWN = 20;

    private final DagDefinition dag;
    private final Graph graph;
    private final Map<String, Step> byId = new HashMap<>();
    private final Map<String, Step> helped = new HashMap<>();
    private final List<String> problems = new ArrayList<>();

    static DefinitionCheck of(DagDefinition dag) {
        if (dag.steps().size() > MOST_STEPS) {
            throw DagErrors.of("Expected a DAG of at most " + MOST_STEPS + " steps, but it has "
                    + dag.steps().size() + ". Divide it into sub-workflows.");
        }
        return new DefinitionCheck(dag);
    }

    private DefinitionCheck(DagDefinition dag) {
        this.dag = dag;
        this.graph = new Graph(dag.steps());
    }

    /** Throws BAD_DAG with all problems at once. */
    void run() {
        settings();
        ids();
        helpers();
        dag.steps().forEach(this::references);
        List<String> cycle = graph.cycle();
        if (!cycle.isEmpty()) {
            problems.add("the steps form a cycle: " + shown(cycle));
        } else {
            dag.steps().forEach(this::paths);
            outputs();
        }
        dag.steps().forEach(this::numbers);
        if (!problems.isEmpty()) {
            throw DagErrors.of("Expected a definition that can run, but DAG '" + JsonTree.cut(dag.name()) + "' has "
                    + (problems.size() == 1 ? "a mistake: " : problems.size() + " mistakes: ")
                    + String.join("; ", problems.subList(0, Math.min(SHOWN, problems.size())))
                    + (problems.size() > SHOWN ? "; …" : "") + ". Correct the definition.");
        }
    }

    private static String shown(List<String> cycle) {
        return cycle.size() <= SHOWN
                ? String.join(" → ", cycle)
                : String.join(" → ", cycle.subList(0, SHOWN)) + " → … (" + (cycle.size() - 1) + " steps)";
    }

    private void require(boolean holds, String otherwise) {
        if (!holds) {
            problems.add(otherwise);
        }
    }

    private void settings() {
        require(
                NAME.matcher(dag.name()).matches(),
                "its name must be up to 100 letters, digits and any of . _ -, not '" + JsonTree.cut(dag.name()) + "'");
        require(dag.version() >= 1, "its version must be 1 or more, not " + dag.version());
        require(dag.runLimit() >= 0, "its runLimit must be 1 or more, not " + dag.runLimit());
        require(!dag.steps().isEmpty(), "it has no steps");
        require(
                !(dag.singleton() && dag.idempotencyKey() != null),
                "it is a singleton and has an idempotencyKey, which contradict each other");
        Path key = dag.idempotencyKey();
        require(key == null || key.root().equals("input"), "its idempotencyKey must begin with $.input, not " + key);
        positive("its runTimeout", dag.runTimeout());
        positive("its maxSleep", dag.maxSleep());
        CancelOn cancelOn = dag.cancelOn();
        if (cancelOn != null) {
            event("cancelOn", cancelOn.event());
            match("cancelOn", cancelOn.match());
            cancelOn.match().values().forEach(value -> inputOnly("cancelOn", value.paths()));
        }
    }

    private void inputOnly(String where, Collection<Path> paths) {
        paths.forEach(path -> require(
                path.root().equals("input") || path.root().equals("run"),
                where + " looks at " + path + ", but knows only $.input and $.run"));
    }

    private void positive(String what, @Nullable Duration time) {
        require(
                time == null || !time.isNegative() && !time.isZero() && time.compareTo(LONGEST) <= 0,
                what + " must be above zero and at most ten years, not " + time);
    }

    private void event(String where, String event) {
        require(!event.isBlank() && event.length() <= 200, where + " must name an event of 1 to 200 characters");
    }

    private void match(String where, Map<String, Template> match) {
        match.forEach((path, value) -> {
            require(
                    path.length() <= 1_000 && EVENT_PATH.matcher(path).matches(),
                    "the match of " + where + " must have paths such as order.items[0].id, not '" + JsonTree.cut(path)
                            + "'");
            require(
                    !(value.tree() instanceof Map) && !(value.tree() instanceof List),
                    "the match of " + where + " must compare single values, not " + JsonTree.kind(value.tree()));
        });
    }

    private void ids() {
        for (Step step : dag.steps()) {
            require(
                    ID.matcher(step.id()).matches(),
                    "'" + JsonTree.cut(step.id())
                            + "' is not an id: use a letter and up to 99 letters, digits, _ and -");
            require(byId.putIfAbsent(step.id(), step) == null, "there are two steps '" + step.id() + "'");
        }
    }

    // ---- onFailure and compensate steps

    private void helpers() {
        for (Step step : dag.steps()) {
            helper(step, "onFailure", step.onFailure());
            helper(step, "compensate", step.compensate());
        }
    }

    private void helper(Step step, String how, @Nullable String id) {
        if (id == null) {
            return;
        }
        String place = how + " of '" + step.id() + "'";
        Step helper = byId.get(id);
        if (helper == null) {
            problems.add(place + " names '" + id + "', which is not a step");
            return;
        }
        Step other = helped.putIfAbsent(id, step);
        require(
                other == null,
                "'" + id + "' is the onFailure or compensate step of '" + step.id() + "' and of '"
                        + (other == null ? "" : other.id()) + "', but can be that of one step only");
        require(
                helper.action() instanceof Action.Task || helper.action() instanceof Action.SubWorkflow,
                place + " names '" + id + "', which is of kind "
                        + helper.action().kind() + ", but must be a task or a subWorkflow");
        require(
                helper.after().isEmpty() && helper.skipIf() == null,
                "'" + id + "' is the " + place + ", and so must have no after or skipIf of its own");
        require(
                helper.compensate() == null && helper.onFailure() == null,
                "'" + id + "' is the " + place + ", and so must have no compensate or onFailure of its own");
    }

    private void references(Step step) {
        Set<String> seen = new HashSet<>();
        for (String id : step.after()) {
            require(seen.add(id), "'" + step.id() + "' comes after '" + id + "' twice");
            require(!id.equals(step.id()), "'" + step.id() + "' comes after itself");
            require(
                    byId.containsKey(id),
                    "'" + step.id() + "' comes after '" + JsonTree.cut(id) + "', which is not a step");
            Step helps = helped.get(id);
            require(
                    helps == null,
                    "'" + step.id() + "' comes after '" + id + "', which is the onFailure or compensate step of '"
                            + (helps == null ? "" : helps.id()) + "'");
        }
    }

    // ---- data

    private void paths(Step step) {
        boolean isMap = step.action() instanceof Action.MapOver;
        for (Path path : step.paths()) {
            switch (path.root()) {
                case "input" -> {}
                case "run" ->
                    require(
                            isOfRun(path),
                            "'" + step.id() + "' looks at " + path + ", but a run has id and workflowId");
                case "item", "index" ->
                    require(isMap, "'" + step.id() + "' looks at " + path + ", which only a map has");
                case "failure" ->
                    require(
                            isFailureHandler(step),
                            "'" + step.id() + "' looks at " + path + ", which only an onFailure step has");
                case "steps" -> output(step, path);
                default ->
                    problems.add("'" + step.id() + "' looks at " + path
                            + ", but data begins with $.input, $.steps or $.run");
            }
        }
    }

    private static boolean isOfRun(Path path) {
        return path.parts().size() == 1
                || path.parts().size() == 2
                        && List.of("id", "workflowId").contains(path.parts().get(1));
    }

    private boolean isFailureHandler(Step step) {
        Step helps = helped.get(step.id());
        return helps != null && step.id().equals(helps.onFailure());
    }

    private void output(Step step, Path path) {
        String read = path.step().orElse(null);
        if (read == null) {
            problems.add("'" + step.id() + "' looks at " + path + ", but must name the step: $.steps.ID");
        } else if (!byId.containsKey(read)) {
            problems.add("'" + step.id() + "' looks at " + path + ", but there is no step '" + read + "'");
        } else {
            require(
                    knows(step, read),
                    "'" + step.id() + "' looks at " + path + ", but does not come after '" + read
                            + "': add it to its after");
        }
    }

    /** Returns true if the output of {@code read} is available to {@code step}. */
    private boolean knows(Step step, String read) {
        Step helps = helped.get(step.id());
        if (helps == null) {
            return graph.isBefore(read, step.id());
        }
        boolean undoes = step.id().equals(helps.compensate());
        return undoes && read.equals(helps.id()) || graph.isBefore(read, helps.id());
    }

    /** Checks the paths of the run's result. */
    private void outputs() {
        Collection<Path> paths = dag.output() == null ? List.of() : dag.output().paths();
        for (Path path : paths) {
            String read = path.step().orElse("");
            boolean isStep = byId.containsKey(read) && !helped.containsKey(read);
            require(
                    path.root().equals("input") || path.root().equals("run") || isStep,
                    "its output looks at " + path + ", which is not data of a run");
        }
    }

    // ---- numbers

    private void numbers(Step step) {
        String name = "'" + step.id() + "'";
        Action action = step.action();
        positive("the timeout of " + name, step.timeout());
        require(
                step.timeout() == null || action.isWork(),
                name + " is of kind " + action.kind() + ", which has no timeout of this kind");
        require(
                step.retry() == null || action instanceof Action.Task || action instanceof Action.MapOver,
                name + " is of kind " + action.kind() + ", which has no retry");
        require(
                !step.isLimited() || action.isWork(),
                name + " is of kind " + action.kind() + ", which has no rateLimit or concurrency");
        require(
                !step.isLimited() || dag.name().length() + step.id().length() <= QUEUE_NAME,
                name + " has a limit, and so its id and the DAG's name must have at most " + QUEUE_NAME
                        + " characters");
        require(step.concurrency() >= 0, "the concurrency of " + name + " must be 1 or more");
        require(
                step.input() == null || action.isWork() || action instanceof Action.Approval,
                name + " is of kind " + action.kind() + ", which has no input");
        RateLimit rate = step.rate();
        if (rate != null) {
            require(rate.number() >= 1, "the rateLimit of " + name + " must be 1 or more, not " + rate.number());
            positive("the period of the rateLimit of " + name, rate.period());
        }
        action(name, action);
    }

    /** Returns the name of the activity or workflow that an action calls. */
    private static String called(Action action) {
        if (action instanceof Action.Task task) {
            return task.activity();
        } else if (action instanceof Action.MapOver map) {
            return map.activity();
        }
        if (action instanceof Action.Approval approval && approval.ask() != null) {
            return approval.ask();
        }
        return action instanceof Action.SubWorkflow sub ? sub.name() : action.kind();
    }

    private void action(String name, Action action) {
        String called = called(action);
        require(
                !called.isBlank() && called.length() <= 200,
                name + " must name what it calls, in up to 200 characters");
        if (action instanceof Action.Sleep sleep && sleep.time() instanceof SleepTime.For time) {
            Duration duration = time.duration();
            require(
                    !duration.isNegative() && !duration.isZero() && duration.compareTo(dag.maxSleep()) <= 0,
                    name + " must sleep for more than zero and at most " + dag.maxSleep() + " (see maxSleep), not "
                            + duration);
        } else if (action instanceof Action.Sleep sleep && sleep.time() instanceof SleepTime.Until until) {
            require(
                    !until.instant().isBefore(FIRST) && !until.instant().isAfter(LAST),
                    name + " must sleep until an instant from 1970 to 9999, not " + until.instant());
        } else if (action instanceof Action.WaitForEvent wait) {
            event(name, wait.event());
            match(name, wait.match());
            positive("the timeout of " + name, wait.timeout());
        } else if (action instanceof Action.Approval approval) {
            positive("the timeout of " + name, approval.timeout());
        } else if (action instanceof Action.MapOver map) {
            require(
                    map.limit() >= 1 && map.limit() <= MOST_ITEMS,
                    "the limit of " + name + " must be 1 to " + MOST_ITEMS + ", not " + map.limit());
            require(
                    map.parallelism() >= 1 && map.parallelism() <= MOST_PARALLEL,
                    "the parallelism of " + name + " must be 1 to " + MOST_PARALLEL + ", not " + map.parallelism());
        }
    }
}
