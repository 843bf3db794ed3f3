package dev.dormouse.benchmarks.scenario;

import dev.dormouse.benchmarks.measure.Reading;
import dev.dormouse.benchmarks.system.Contender;
import java.util.List;

/** A benchmark scenario, executed for each system that supports it. */
public interface Scenario {

    /** Returns the names by which it is selected: its own name first, then those of its other figures. */
    List<String> names();

    default String name() {
        return names().get(0);
    }

    boolean suits(Contender contender);

    /** Returns true if it reads database statistics, which needs a server. */
    default boolean needsServer() {
        return false;
    }

    default TurnLength length() {
        return TurnLength.BRIEF;
    }

    List<Reading> play(Turn turn) throws Exception;
}
