package dev.dormouse;

import java.time.Instant;
import java.util.List;

/** A schedule is a workflow: it sleeps until the next instant, starts what is to be started, and is told of changes. */
@WorkflowInterface
interface ScheduleWorkflow {
    @WorkflowMethod
    void run(ScheduleState state);

    @UpdateMethod
    void replace(ScheduleSpec spec);

    @UpdateMethod
    void pause(String note);

    @UpdateMethod
    void resume();

    @UpdateMethod
    void trigger();

    @UpdateMethod
    void backfill(List<Instant> instants, Overlap overlap);

    @UpdateMethod
    void delete();

    @QueryMethod
    ScheduleState state();
}
