package dev.dormouse.benchmarks.scenario;

import dev.dormouse.benchmarks.measure.Reading;
import dev.dormouse.benchmarks.system.Contender;
import java.util.List;

/** Something that is measured, for each system that can do it. */
public interface Scenario {

    /** What one asks for it by: its own name first, then those of other figures that it reads. */
    List<String> names();

    default String name() {
        return names().get(0);
    }

    boolean suits(Contender contender);

    /** Whether it looks at the database from outside, which takes a server. */
    default boolean needsServer() {
        return false;
    }

    default Length length() {
        return Length.BRIEF;
    }

    List<Reading> play(Turn turn) throws Exception;
}
