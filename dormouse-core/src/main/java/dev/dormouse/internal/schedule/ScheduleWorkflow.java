package dev.dormouse.internal.schedule;

import dev.dormouse.QueryMethod;
import dev.dormouse.UpdateMethod;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.schedule.Overlap;
import java.time.Instant;
import java.util.List;

/**
 * A workflow that implements a schedule: it sleeps until the next instant, starts the due run, and receives changes as
 * updates.
 */
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
