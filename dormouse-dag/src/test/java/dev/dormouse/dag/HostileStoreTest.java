package dev.dormouse.dag;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.dag.support.RefusalAssertions;
import dev.dormouse.error.ErrorCode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Regression tests of definitions that build() accepted but that cannot be read back; one of them in a store must not
 * prevent nodes from opening.
 */
class HostileStoreTest {
    private static final Dag GOOD = Dag.workflow("good").task("a", "echo").build();

    static Stream<DagBuilder> poison() {
        return Stream.of(
                Dag.workflow("bad").sleepUntil("a", Instant.MIN),
                Dag.workflow("bad").sleepUntil("a", Instant.MAX),
                Dag.workflow("bad").waitForEvent("a", "e", Map.of("k".repeat(60_000), 1), Duration.ofDays(1)));
    }

    @Test
    void deeplyNestedDefinitionIsRefused() {
        Object data = 1;
        for (int i = 0; i < 499; i++) {
            data = List.of(data);
        }
        Object deep = data;
        RefusalAssertions.refused(
                ErrorCode.BAD_DAG, () -> Dag.workflow("bad").task("a", "x").input(deep));
    }

    @ParameterizedTest
    @MethodSource("poison")
    void builtDagsCanBeWrittenAndReadBack(DagBuilder builder) {
        RefusalAssertions.succeedsOrIsRefused("build", () -> {
            Dag dag = builder.build();
            try {
                assertThat(Dag.fromJson(dag.toJson())).isEqualTo(dag);
            } catch (RuntimeException wrong) {
                throw new AssertionError("built, but cannot be written and read back", wrong);
            }
        });
    }

    /**
     * If it is refused or stored, other DAGs work. A store may also contain definitions written by a newer release.
     */
    @ParameterizedTest
    @MethodSource("poison")
    void unreadableDefinitionDoesNotPreventOpening(DagBuilder builder, @TempDir Path folder) {
        Dags first = Dags.of(GOOD);
        try (Dormouse dormouse = open(folder, first)) {
            try {
                first.register(builder.build());
            } catch (RuntimeException refused) {
                return;
            }
            assertThat(first.find("good")).contains(GOOD);
        }
        Dags second = Dags.of(GOOD);
        try (Dormouse dormouse = open(folder, second)) {
            assertThat(second.list()).contains(GOOD);
        }
    }

    @Test
    void loneSurrogatesAreRefusedOrStored(@TempDir Path folder) {
        for (String text : List.of("\ud800", "a\udc00b")) {
            Dags dags = Dags.of();
            try (Dormouse dormouse = open(folder, dags)) {
                RefusalAssertions.succeedsOrIsRefused("half", () -> {
                    Dag dag = Dag.workflow("half").task("a", "x").input(text).build();
                    dags.register(dag);
                    assertThat(dags.find("half")).contains(dag);
                    dags.register(dag);
                });
            }
        }
    }

    private static Dormouse open(Path folder, Dags dags) {
        return Dormouse.builder()
                .store("sqlite:" + folder.resolve("test.db"))
                .plugin(dags)
                .open();
    }
}
