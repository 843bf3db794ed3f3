package dev.dormouse.examples.cron;

import dev.dormouse.Dormouse;
import dev.dormouse.schedule.CatchUp;
import dev.dormouse.schedule.Overlap;
import dev.dormouse.schedule.Schedule;
import dev.dormouse.schedule.Timetable;

/** The schedule of the job. Every node may set it when it starts: it is stored once. */
final class CleanupSchedule {
    static final String ID = "cleanup";

    private CleanupSchedule() {}

    static void set(Dormouse dormouse, Timetable timetable) {
        dormouse.schedules()
                .put(
                        ID,
                        Schedule.of(timetable)
                                .withWorkflow("Cleanup", "/tmp")
                                .withOverlap(Overlap.SKIP)
                                .withCatchUp(CatchUp.one()));
    }
}
