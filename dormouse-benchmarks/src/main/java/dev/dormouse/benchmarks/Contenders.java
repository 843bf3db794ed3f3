package dev.dormouse.benchmarks;

import dev.dormouse.benchmarks.system.Contender;
import dev.dormouse.benchmarks.system.dbos.DbosContender;
import dev.dormouse.benchmarks.system.dbscheduler.DbSchedulerContender;
import dev.dormouse.benchmarks.system.dormouse.DormouseContender;
import dev.dormouse.benchmarks.system.jobrunr.JobRunrContender;
import dev.dormouse.benchmarks.system.limit.LimitContender;
import java.util.List;

/** The available systems. */
final class Contenders {
    static final String DORMOUSE = "dormouse";

    private Contenders() {}

    /** Returns the systems that are measured beside Dormouse and selected by name. */
    static List<Contender> peers() {
        return List.of(DbosContender.make(), DbSchedulerContender.make(), JobRunrContender.make());
    }

    static Contender dormouse() {
        return DormouseContender.make();
    }

    static Contender limit() {
        return LimitContender.make();
    }
}
