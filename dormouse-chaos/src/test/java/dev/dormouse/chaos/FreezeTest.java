package dev.dormouse.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A node that is stopped for longer than its leases last, and does not know it. */
@ExtendWith(LogOnFailure.class)
class FreezeTest {
    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final String[] SETTINGS = {"lease=" + LEASE.toMillis(), "sweep=500", "parkGrace=1000"};

    @TempDir
    Path directory;

    @Test
    void nodeThatWasStoppedWritesNothingUnderItsOldLeasesAndStopsItsCopies() {
        try (Scene scene = Scene.onPostgres(directory)) {
            Audit audit = Audit.of(scene);
            Child frozen = scene.worker(with(audit.as("frozen")));
            Child other = scene.worker(with(audit.as("other")));
            // Steps that end while the node is stopped, as it goes on, and after that
            frozen.order("many short- 10 a:1 long:1000 b:1");
            frozen.order("many middle- 10 a:1 long:6500 b:1");
            frozen.order("many lasting- 10 a:1 long:9000 b:1");
            frozen.order("many parked- 10 a:1 sleep:1500 b:1");
            Set<UUID> runs = begunBy(scene, frozen, "a", 40);

            long goesOn = System.nanoTime() + LEASE.multipliedBy(3).toNanos();
            frozen.freeze(LEASE.multipliedBy(3));
            scene.awaitCompleted(40, Duration.ofSeconds(60));

            assertThat(begunBy(scene, other, "b", 40)).isEqualTo(runs);
            assertThat(lateWrites(audit)).isEmpty();
            awaitUnwound(scene, frozen, goesOn, runs);
            scene.assertHistoriesAgreeWithJournal();
            Figures.report(
                    "copies of a stopped node ended %s after it went on",
                    Figures.of(lastUnwound(scene, frozen) - goesOn));
        }
    }

    private static String[] with(String setting) {
        return new String[] {setting, SETTINGS[0], SETTINGS[1], SETTINGS[2]};
    }

    /** Waits until a worker has begun a step in so many runs; tells which. */
    private static Set<UUID> begunBy(Scene scene, Child worker, String step, int number) {
        return Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(
                        () -> scene
                                .journal()
                                .deeds(deed -> deed.kind() == Deed.Kind.BEGAN
                                        && deed.pid() == worker.pid()
                                        && deed.name().equals(step))
                                .stream()
                                .map(Deed::runId)
                                .collect(Collectors.toSet()),
                        begun -> begun.size() == number);
    }

    /** What the frozen node wrote to a run after the other one had first written to it, that is, had claimed it. */
    private static List<Audit.Write> lateWrites(Audit audit) {
        List<Audit.Write> writes = audit.writes();
        Map<UUID, Long> taken = writes.stream()
                .filter(write -> write.role().equals("other"))
                .collect(Collectors.toMap(Audit.Write::runId, Audit.Write::place, Math::min));
        assertThat(taken).hasSize(40);
        return writes.stream()
                .filter(write -> write.role().equals("frozen") && write.place() > taken.get(write.runId()))
                .toList();
    }

    private static void awaitUnwound(Scene scene, Child frozen, long since, Set<UUID> runs) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> assertThat(unwound(scene, frozen))
                        .extracting(Deed::runId)
                        .containsAll(runs));
        assertThat(unwound(scene, frozen)).allMatch(deed -> deed.nanos() - since > 0);
    }

    private static List<Deed> unwound(Scene scene, Child frozen) {
        return scene.journal().deeds(deed -> deed.kind() == Deed.Kind.UNWOUND && deed.pid() == frozen.pid());
    }

    private static long lastUnwound(Scene scene, Child frozen) {
        return unwound(scene, frozen).stream().mapToLong(Deed::nanos).max().orElseThrow();
    }
}
