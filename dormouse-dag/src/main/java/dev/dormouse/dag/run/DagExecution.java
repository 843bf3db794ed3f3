package dev.dormouse.dag.run;

import dev.dormouse.ActivityOptions;
import dev.dormouse.CancellationScope;
import dev.dormouse.Promise;
import dev.dormouse.Saga;
import dev.dormouse.Workflow;
import dev.dormouse.dag.model.Action;
import dev.dormouse.dag.model.DagDefinition;
import dev.dormouse.dag.model.Step;
import dev.dormouse.dag.model.StepStatus;
import dev.dormouse.error.ActivityFailedException;
import dev.dormouse.error.CancelledException;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.RecordedException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The execution of one run of a DAG: begins each step when all its predecessors are over. A single ready step is
 * executed on the run's own coroutine, several ones concurrently on coroutines of their own. Confined to the run's
 * coroutines, of which one runs at a time, so it needs no locks.
 */
final class DagExecution {
    private final DagDefinition dag;
    private final Map<String, StepRun> runs = new LinkedHashMap<>();
    private final Map<String, List<StepRun>> followers = new HashMap<>();
    private final Map<String, Integer> open = new HashMap<>();
    private final ArrayDeque<StepRun> ready = new ArrayDeque<>();
    private final Set<String> helpers = new LinkedHashSet<>();
    private final RunData data;
    private final WorkSteps works;
    private final WaitSteps waits;
    private final Saga saga = new Saga();
    private int running;
    private int ended;

    DagExecution(DagDefinition dag, @Nullable Object input, ActivityOptions options) {
        this.dag = dag;
        dag.steps().forEach(step -> runs.put(step.id(), new StepRun(step)));
        for (Step step : dag.steps()) {
            Stream.of(step.onFailure(), step.compensate())
                    .filter(Objects::nonNull)
                    .forEach(helpers::add);
        }
        main().forEach(this::connect);
        this.data = new RunData(dag, input, last());
        this.works = new WorkSteps(dag, data, options);
        this.waits = new WaitSteps(dag, works, options);
    }

    /** Returns all steps except onFailure and compensate steps. */
    private List<StepRun> main() {
        return runs.values().stream().filter(run -> !helpers.contains(run.id())).toList();
    }

    private void connect(StepRun run) {
        List<String> after = run.step().after();
        open.put(run.id(), after.size());
        after.forEach(
                id -> followers.computeIfAbsent(id, any -> new ArrayList<>()).add(run));
        if (after.isEmpty()) {
            ready.add(run);
        }
    }

    /** Returns the steps without successors. */
    private Set<String> last() {
        return main().stream()
                .map(StepRun::id)
                .filter(id -> !followers.containsKey(id))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    Collection<StepRun> runs() {
        return runs.values();
    }

    @Nullable
    StepRun run(String step) {
        return runs.get(step);
    }

    // ---- the whole run

    @Nullable
    Object run() {
        RuntimeException problem = executeSteps();
        if (problem == null) {
            try {
                return result();
            } catch (DormouseException noResult) {
                problem = noResult;
            }
        }
        throw saga.compensateAfter(problem);
    }

    /** Executes all steps. Returns the problem that stopped the run; null if there is none. */
    private @Nullable RuntimeException executeSteps() {
        CancellationScope all = Workflow.newCancellationScope(this::executeAll);
        boolean[] late = {false};
        Duration timeout = dag.runTimeout();
        Promise<?> clock = timeout == null
                ? null
                : Workflow.async(() -> {
                    Workflow.sleep(timeout);
                    late[0] = true;
                    all.cancel("the run's time is up");
                    return null;
                });
        try {
            all.run();
        } catch (CancelledException cancelled) {
            Workflow.newDetachedCancellationScope(() -> Workflow.await(() -> running == 0))
                    .run();
            return late[0] && timeout != null ? timedOut(timeout) : cancelled;
        }
        if (clock != null) {
            clock.cancel();
        }
        return failure();
    }

    private DormouseException timedOut(Duration timeout) {
        return new DormouseException(
                ErrorCode.DAG_TIMED_OUT,
                "Expected a run of DAG '" + dag.name() + "' to be done within " + timeout + ", but "
                        + runs.values().stream()
                                .filter(run -> run.status() == StepStatus.CANCELLED)
                                .map(run -> "'" + run.id() + "'")
                                .collect(Collectors.joining(", "))
                        + " was still under way. Give it more time, or see what held it up.");
    }

    private @Nullable DormouseException failure() {
        List<StepRun> failed = runs.values().stream()
                .filter(run -> run.status() == StepStatus.FAILED)
                .toList();
        if (failed.isEmpty()) {
            return null;
        }
        String all = failed.stream()
                .map(run -> "step '" + run.id() + "' failed: "
                        + Objects.requireNonNull(run.problem()).getMessage())
                .collect(Collectors.joining("; "));
        return new DormouseException(
                ErrorCode.DAG_FAILED,
                "Expected all steps of DAG '" + dag.name() + "' to be done, but " + all,
                failed.get(failed.size() - 1).problem());
    }

    private @Nullable Object result() {
        if (dag.output() != null) {
            return dag.output().fill(data.tree());
        }
        Map<String, @Nullable Object> outputs = new LinkedHashMap<>();
        last().forEach(id -> outputs.put(id, data.output(id)));
        return outputs;
    }

    // ---- scheduling of steps

    private void executeAll() {
        while (!ready.isEmpty() || running > 0) {
            if (running == 0 && ready.size() == 1) {
                execute(ready.remove());
            } else {
                while (!ready.isEmpty()) {
                    StepRun next = ready.remove();
                    running++;
                    Workflow.async(() -> executeConcurrently(next));
                }
                int before = ended;
                Workflow.await(() -> ended != before);
            }
        }
        Workflow.await(
                () -> true); // throws if the scope was cancelled, even if all steps have already seen the cancellation
    }

    private @Nullable Void executeConcurrently(StepRun run) {
        try {
            execute(run);
        } finally {
            running--;
            ended++;
        }
        return null;
    }

    private void execute(StepRun run) {
        StepRun culprit = run.step().after().stream()
                .map(runs::get)
                .filter(Objects::nonNull)
                .filter(StepRun::blocks)
                .findFirst()
                .orElse(null);
        if (culprit == null) {
            perform(run);
        } else {
            run.blocked("'" + culprit.id() + "' is " + culprit.status());
            mark(run, "was skipped, because '" + culprit.id() + "' is " + culprit.status());
        }
        data.over(run.step());
        for (StepRun follower : followers.getOrDefault(run.id(), List.of())) {
            if (open.merge(follower.id(), -1, Integer::sum) == 0) {
                ready.add(follower);
            }
        }
    }

    private static void mark(StepRun run, String what) {
        Workflow.addNote("step.skipped", "step '" + run.id() + "' " + what);
    }

    // ---- one step

    private void perform(StepRun run) {
        Step step = run.step();
        try {
            if (step.skipIf() != null && step.skipIf().holds(data.tree())) {
                run.skipped("its condition holds");
                mark(run, "was skipped, because its condition holds");
                data.put(run.id(), null);
                return;
            }
            data.put(run.id(), act(run, data.tree()));
            if (run.status() == StepStatus.NOT_APPROVED) {
                runOnFailureStep(run, "it was not approved", "");
            } else {
                addCompensation(run);
            }
            data.forgetIfUnread(run.id());
        } catch (CancelledException cancelled) {
            run.cancelled();
            throw cancelled;
        } catch (RuntimeException problem) {
            failed(run, problem);
        }
    }

    private @Nullable Object act(StepRun run, Map<String, @Nullable Object> seen) {
        run.begins();
        Step step = run.step();
        Action action = step.action();
        if (action instanceof Action.Approval approval) {
            Map<String, @Nullable Object> decision = waits.approval(run, approval, seen);
            boolean approved = Boolean.TRUE.equals(decision.get("approved"));
            run.ends(approved ? StepStatus.COMPLETED : StepStatus.NOT_APPROVED, decision);
            return decision;
        }
        Object output;
        if (action instanceof Action.Task task) {
            output = works.task(step, task, seen);
        } else if (action instanceof Action.Sleep sleep) {
            output = waits.sleep(run, sleep, seen);
        } else if (action instanceof Action.WaitForEvent wait) {
            output = waits.event(run, wait, seen);
        } else if (action instanceof Action.MapOver map) {
            output = works.map(step, map, seen);
        } else {
            output = works.sub(step, (Action.SubWorkflow) action, seen);
        }
        run.ends(StepStatus.COMPLETED, output);
        return output;
    }

    private void addCompensation(StepRun run) {
        String helper = run.step().compensate();
        if (helper == null) {
            return;
        }
        StepRun undo = Objects.requireNonNull(runs.get(helper));
        Map<String, @Nullable Object> seen = data.ofUndone(run.id(), undo.step());
        saga.addCompensation(helper, () -> {
            runHelper(undo, seen);
            run.compensated();
        });
    }

    private void failed(StepRun run, RuntimeException problem) {
        run.fails(problem);
        Workflow.addNote("step.failed", "step '" + run.id() + "' failed" + because(problem));
        StepRun instead =
                runOnFailureStep(run, problem.getMessage(), problem.getClass().getName());
        if (instead != null && instead.status() == StepStatus.COMPLETED) {
            run.handled(instead.output());
        }
    }

    /**
     * Marks are plain text, so they must not repeat messages thrown by user code. The event before has the message.
     */
    private static String because(RuntimeException problem) {
        if (problem instanceof ActivityFailedException activity) {
            return " with " + activity.failure().type();
        }
        return problem.getCause() instanceof RecordedException thrown
                ? " with " + thrown.type()
                : ": " + problem.getMessage();
    }

    /** Executes the onFailure step of a step. Returns null if there is none. */
    private @Nullable StepRun runOnFailureStep(StepRun run, @Nullable String message, String type) {
        String helper = run.step().onFailure();
        if (helper == null) {
            return null;
        }
        StepRun instead = Objects.requireNonNull(runs.get(helper));
        Map<String, @Nullable Object> failure = new LinkedHashMap<>();
        failure.put("step", run.id());
        failure.put("message", message);
        failure.put("type", type);
        try {
            Object output = runHelper(instead, data.with(RunData.FAILURE, failure));
            if (run.status() == StepStatus.FAILED) {
                data.put(run.id(), output);
                data.forgetIfUnread(run.id());
            }
        } catch (CancelledException cancelled) {
            throw cancelled;
        } catch (RuntimeException alsoFailed) {
            // the status of the onFailure step records it
        }
        return instead;
    }

    private @Nullable Object runHelper(StepRun helper, Map<String, @Nullable Object> seen) {
        try {
            return act(helper, seen);
        } catch (CancelledException cancelled) {
            helper.cancelled();
            throw cancelled;
        } catch (RuntimeException problem) {
            helper.fails(problem);
            throw problem;
        }
    }
}
