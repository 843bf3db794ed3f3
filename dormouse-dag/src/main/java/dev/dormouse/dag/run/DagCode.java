package dev.dormouse.dag.run;

import dev.dormouse.ActivityOptions;
import dev.dormouse.Promise;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowInfo;
import dev.dormouse.dag.data.JsonTree;
import dev.dormouse.dag.model.CancelOn;
import dev.dormouse.dag.model.DagDefinition;
import dev.dormouse.dag.model.StepStatus;
import dev.dormouse.error.CancelledException;
import dev.dormouse.error.DormouseException;
import dev.dormouse.internal.history.Message;
import dev.dormouse.internal.replay.Replay;
import dev.dormouse.internal.run.Families;
import dev.dormouse.store.base.StoreException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The workflow code of all DAGs: looks up the definition of a run and executes it. */
public final class DagCode implements DagWorkflow {
    private final DefinitionSource library;
    private @Nullable DagDefinition dag;
    private @Nullable DagExecution flow;

    public DagCode(DefinitionSource library) {
        this.library = library;
    }

    @Override
    public @Nullable Object run(@Nullable Object input) {
        DagDefinition found = load();
        DagExecution newFlow = new DagExecution(found, input, library.options());
        dag = found;
        flow = newFlow;
        Promise<?> watch = found.cancelOn() == null ? null : watch(found.cancelOn(), input);
        try {
            Object result = newFlow.run();
            stop(watch);
            return result;
        } catch (RuntimeException problem) {
            stop(watch);
            throw problem;
        }
    }

    /** Returns the definition. A run keeps its version: the one of its start, or else the latest one when it began. */
    private DagDefinition load() {
        WorkflowInfo info = Workflow.info();
        String name = info.type().substring(Families.of(info.type()).length());
        String started = info.memo().get(VERSION);
        int version = started != null
                ? Integer.parseInt(started)
                : Workflow.step("version", ActivityOptions.DEFAULT, Integer.class, () -> library.latest(name));
        try {
            return library.definition(name, version);
        } catch (StoreException noAnswer) {
            throw noAnswer;
        } catch (DormouseException notThere) {
            throw replay().refuse(
                            notThere.code(), notThere.getMessage()); // the run is retried later, also on other nodes
        }
    }

    private static Replay replay() {
        return Objects.requireNonNull(Replay.current());
    }

    // ---- cancelOn

    private static Promise<?> watch(CancelOn cancelOn, @Nullable Object input) {
        Map<String, @Nullable Object> match = RunData.filled(cancelOn.match(), RunData.roots(input));
        String workflowId = Workflow.info().workflowId();
        return Workflow.async(() -> {
            Workflow.waitForEvent(cancelOn.event(), match);
            Replay run = replay();
            UUID itself = run.started().chain(run.run().runId());
            run.send(workflowId, new Message.Cancel(itself, "event '" + cancelOn.event() + "'"));
            return null;
        });
    }

    /** Cancels the wait for the event, and waits until nothing of it is left. */
    private static void stop(@Nullable Promise<?> watch) {
        if (watch != null && !watch.isDone()) {
            watch.cancel();
            Workflow.newDetachedCancellationScope(() -> {
                        try {
                            watch.get();
                        } catch (CancelledException stopped) {
                            // expected after the cancel
                        }
                    })
                    .run();
        }
    }

    // ---- queries and updates

    @Override
    public String state() {
        Map<String, @Nullable Object> state = new LinkedHashMap<>();
        DagDefinition known = dag;
        DagExecution going = flow;
        if (known != null && going != null) {
            state.put("dag", known.name());
            state.put("version", known.version());
            state.put("steps", going.runs().stream().map(StepRun::tree).toList());
        }
        return JsonTree.json(state);
    }

    @Override
    public String secrets() {
        Map<String, @Nullable Object> secrets = new LinkedHashMap<>();
        if (flow != null) {
            flow.runs().stream()
                    .filter(run -> run.status() == StepStatus.WAITING)
                    .forEach(run -> Optional.ofNullable(run.approval())
                            .ifPresent(approval -> secrets.put(run.id(), approval.secret())));
        }
        return JsonTree.json(secrets);
    }

    @Override
    public String decide(String step, String secret, boolean approved, String by, String comment) {
        StepRun run = flow == null ? null : flow.run(step);
        ApprovalState approval = run == null ? null : run.approval();
        return (approval == null ? Verdict.UNKNOWN : approval.decide(secret, approved, by, comment)).name();
    }
}
