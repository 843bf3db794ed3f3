package dev.dormouse.postgres.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A batch of numbers, of which some cannot be sent. */
class BatchTest {
    private static final Batch.Verdicts<String> VERDICTS =
            new Batch.Verdicts<>("locked", reason -> "rejected", cause -> "unknown");

    private final List<List<Integer>> sent = new ArrayList<>();

    /** Sends 0 to 999; these ones fail with this SQLSTATE. */
    private List<String> send(String state, List<Integer> failing) {
        Batch<Integer, String> batch = new Batch<>(
                entries -> {
                    sent.add(entries);
                    if (entries.stream().anyMatch(failing::contains)) {
                        throw new SQLException("on purpose", state);
                    }
                    return entries.stream().map(entry -> "ok " + entry).toList();
                },
                VERDICTS);
        return batch.send(IntStream.range(0, 1000).boxed().toList());
    }

    private static void assertOnly(List<String> outcomes, List<Integer> failing, String verdict) {
        for (int i = 0; i < outcomes.size(); i++) {
            assertThat(outcomes.get(i)).isEqualTo(failing.contains(i) ? verdict : "ok " + i);
        }
    }

    @Test
    void goodBatchIsSentOnce() {
        assertOnly(send("22021", List.of()), List.of(), "");
        assertThat(sent).hasSize(1);
    }

    @Test
    void badEntriesAreFoundInFewAttempts() {
        List<Integer> bad = List.of(0, 499, 999);
        assertOnly(send("22021", bad), bad, "rejected");
        assertThat(sent).hasSizeLessThan(100);
    }

    @Test
    void lockedEntryIsFoundInFewWaits() {
        assertOnly(send("55P03", List.of(500)), List.of(500), "locked");
        assertThat(sent.stream().filter(entries -> entries.contains(500))).hasSizeLessThan(8);
    }

    @Test
    void whereEverythingIsLockedItGivesUpSoon() {
        List<String> outcomes = send("55P03", IntStream.range(0, 1000).boxed().toList());
        assertThat(outcomes).hasSize(1000).containsOnly("locked");
        assertThat(sent).hasSize(20);
    }

    @Test
    void lostConnectionMakesAllUnknownAndNothingMoreIsSent() {
        assertThat(send("08006", List.of(500))).hasSize(1000).containsOnly("unknown");
        assertThat(sent).hasSize(1);
    }

    @Test
    void nothingIsSentForNothing() {
        Batch<Integer, String> batch = new Batch<>(
                entries -> {
                    throw new SQLException("on purpose", "08006");
                },
                VERDICTS);
        assertThat(batch.send(List.of())).isEmpty();
    }
}
