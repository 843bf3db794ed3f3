package dev.dormouse.dag;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Defects, or a rule that is nowhere written down: milliseconds since 1970 that are long past fail the step. */
class HostileSleepDefectTest {

    @ParameterizedTest
    @ValueSource(longs = {0, 1, -1, 86_400_000})
    void millisecondsOfAnInstantThatHasPassedEndTheSleepAtOnce(long millis) {
        Dag dag = Dag.workflow("d").sleepUntil("a", "$.input.t").build();
        DagStory.play(dag, story -> DagStory.result(story.start("d", Map.of("t", millis))));
    }
}
