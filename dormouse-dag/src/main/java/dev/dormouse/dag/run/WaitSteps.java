package dev.dormouse.dag.run;

import dev.dormouse.ActivityOptions;
import dev.dormouse.Promise;
import dev.dormouse.PublishedEvent;
import dev.dormouse.TimerPolicy;
import dev.dormouse.UpdatableTimer;
import dev.dormouse.Workflow;
import dev.dormouse.dag.model.Action;
import dev.dormouse.dag.model.DagDefinition;
import dev.dormouse.dag.model.Step;
import dev.dormouse.dag.model.StepStatus;
import dev.dormouse.error.CancelledException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The steps that wait: sleeps, events and approvals. Meanwhile the run is only a row in the store. Confined to the
 * run's coroutines.
 */
final class WaitSteps {
    private final DagDefinition dag;
    private final WorkSteps works;
    private final ActivityOptions options;

    WaitSteps(DagDefinition dag, WorkSteps works, ActivityOptions options) {
        this.dag = dag;
        this.works = works;
        this.options = options;
    }

    @Nullable
    Object sleep(StepRun run, Action.Sleep sleep, Map<String, @Nullable Object> data) {
        Instant now = Workflow.now();
        Instant until = sleep.time().end(now, data, dag.maxSleep());
        UpdatableTimer timer =
                Workflow.newUpdatableTimer(run.id(), TimerPolicy.ANY.withLatest(now.plus(dag.maxSleep())));
        run.waits(StepStatus.SLEEPING, until, timer);
        mark("step.sleep.started", run, "sleeps until " + until + run.warnIfLong(until));
        timer.sleepUntil(until);
        Instant woken = timer.wakeUpTime();
        mark("step.sleep.completed", run, "has slept until " + woken);
        return Map.of("wokeAt", String.valueOf(woken));
    }

    private static void mark(String kind, StepRun run, String what) {
        Workflow.addNote(kind, "step '" + run.id() + "' " + what);
    }

    @Nullable
    Object event(StepRun run, Action.WaitForEvent wait, Map<String, @Nullable Object> data) {
        Map<String, @Nullable Object> match = RunData.filled(wait.match(), data);
        Instant until = Workflow.now().plus(wait.timeout());
        run.waits(StepStatus.WAITING, until, null);
        mark("step.wait.started", run, "waits for event '" + wait.event() + "' until " + until);
        Optional<PublishedEvent> event = Workflow.waitForEvent(wait.event(), match, wait.timeout());
        if (event.isEmpty()) {
            mark("step.wait.timedOut", run, "has waited for event '" + wait.event() + "' in vain");
            return Map.of("timeout", true);
        }
        mark(
                "step.wait.completed",
                run,
                "has got event '" + wait.event() + "' " + event.get().id());
        return event.get().payload(Object.class);
    }

    /** Waits for a decision or the timeout. Returns the outcome of the approval. */
    Map<String, @Nullable Object> approval(StepRun run, Action.Approval wanted, Map<String, @Nullable Object> data) {
        String id = run.id();
        String secret =
                Workflow.step(ApprovalToken.STEP + id, ActivityOptions.DEFAULT, String.class, ApprovalState::newSecret);
        ApprovalState approval = new ApprovalState(secret);
        Instant until = Workflow.now().plus(wanted.timeout());
        UpdatableTimer timer = Workflow.newUpdatableTimer(id);
        run.asks(approval);
        run.waits(StepStatus.WAITING, until, timer);
        mark("step.approval.started", run, "waits for an approval until " + until);
        try {
            Asking asking = new Asking(run.step(), wanted, secret, until, data);
            timer.await(until, () -> approval.isDecided() || asking.failure != null);
            asking.end(approval);
        } finally {
            approval.close();
        }
        Map<String, @Nullable Object> decision = approval.outcome();
        mark("step.approval.completed", run, says(decision));
        return decision;
    }

    /**
     * Asks for an approval while its timeout runs, so that a slow or unreachable recipient does not delay the timeout.
     */
    private final class Asking {
        private @Nullable RuntimeException failure;
        private @Nullable Promise<?> asked;

        Asking(Step step, Action.Approval wanted, String secret, Instant until, Map<String, @Nullable Object> data) {
            String activity = wanted.ask();
            if (activity != null) {
                Object input = works.input(step, data);
                asked = Workflow.async(() -> {
                    try {
                        ask(step, activity, secret, until, input);
                    } catch (CancelledException cancelled) {
                        throw cancelled;
                    } catch (RuntimeException problem) {
                        failure = problem;
                    }
                    return null;
                });
            }
        }

        void end(ApprovalState approval) {
            if (asked != null && !asked.isDone()) {
                asked.cancel();
            }
            if (failure != null && !approval.isDecided()) {
                throw failure;
            }
        }
    }

    private void ask(Step step, String activity, String secret, Instant until, @Nullable Object input) {
        Map<String, @Nullable Object> question = new LinkedHashMap<>();
        question.put("token", new ApprovalToken(Workflow.info().workflowId(), step.id(), secret).text());
        question.put("workflowId", Workflow.info().workflowId());
        question.put("step", step.id());
        question.put("until", until.toString());
        question.put("input", input);
        Workflow.activity(step.id() + ".ask", activity, options, Object.class, question);
    }

    private static String says(Map<String, @Nullable Object> decision) {
        if (decision.containsKey("timeout")) {
            return "was not decided in time";
        }
        return (Boolean.TRUE.equals(decision.get("approved")) ? "was approved by '" : "was rejected by '")
                + decision.get("by") + "'";
    }
}
