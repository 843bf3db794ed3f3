package dev.dormouse.dag;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.dag.support.RefusalAssertions;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Definitions are read back unchanged from a real store. */
class HostileStoredTest {

    @Test
    void oddTextsAreStoredAsTheyAre(@TempDir Path folder) {
        List<String> texts = RefusalAssertions.ODD.stream()
                .filter(text -> !text.contains("$.") && !text.matches("\\p{Cs}.*"))
                .toList();
        for (int round = 0; round < 2; round++) {
            Dags dags = Dags.of();
            try (Dormouse dormouse = Dormouse.builder()
                    .store("sqlite:" + folder.resolve("test.db"))
                    .plugin(dags)
                    .open()) {
                for (int i = 0; i < texts.size(); i++) {
                    Dag dag = Dag.workflow("n" + i)
                            .task("a", "x")
                            .input(List.of(texts.get(i), "end"))
                            .build();
                    RefusalAssertions.succeedsOrIsRefused("text " + texts.get(i), () -> {
                        dags.register(dag);
                        assertThat(dags.find(dag.name())).contains(dag);
                    });
                }
            }
        }
    }
}
