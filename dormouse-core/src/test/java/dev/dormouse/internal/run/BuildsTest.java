package dev.dormouse.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class BuildsTest {
    @Test
    void buildsThatRefusedAreRemembered() {
        String refused = Builds.add("", "one", Set.of("one"));
        assertThat(Builds.has("", "one")).isFalse();
        assertThat(Builds.has("", "")).isFalse();
        assertThat(Builds.has(refused, "one")).isTrue();
        assertThat(Builds.has(refused, "on")).isFalse();
        refused = Builds.add(refused, "two", Set.of("one", "two"));
        assertThat(Builds.has(refused, "one")).isTrue();
        assertThat(Builds.has(refused, "two")).isTrue();
    }

    @Test
    void buildThatRefusesAgainIsKeptOnce() {
        Set<String> live = Set.of("one", "two");
        String refused = Builds.add(Builds.add(Builds.add("", "one", live), "two", live), "one", live);
        assertThat(refused.split(" ")).containsExactlyInAnyOrder("one", "two");
    }

    @Test
    void buildsThatNoLiveNodeRunsAreForgotten() {
        String refused = "";
        for (int i = 0; i < 1_000; i++) {
            refused = Builds.add(refused, "build-" + i, Set.of("build-" + i, "build-" + (i + 1)));
        }
        assertThat(refused).isEqualTo("build-999");
    }
}
