package dev.dormouse.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.dormouse.ChildOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.inspect.RunStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A standby that misses the latest commits takes the primary's place, while parents start children and await them. */
@Tag("once")
@Timeout(180)
class StandbyFailoverTest {
    private static final String SCHEMA = "dormouse";
    private static final int PARENTS = 40;
    private static final int ROUNDS = 60;

    /** Each round has a secret that the parent made up and recorded; a child of another past has another. */
    private static DormouseBuilder family(DormouseBuilder node) {
        return node.workflow("parent", Integer.class, String.class, (ctx, rounds) -> {
                    for (int i = 0; i < rounds; i++) {
                        String secret = ctx.step(
                                "secret", String.class, () -> UUID.randomUUID().toString());
                        String id = ctx.info().workflowId() + "-" + i;
                        String answer = ctx.child("child", id, ChildOptions.DEFAULT, String.class, secret)
                                .get();
                        if (!answer.equals(secret)) {
                            return "a child of another past in round " + i;
                        }
                    }
                    return "all of one past";
                })
                .workflow("child", String.class, String.class, (ctx, secret) -> {
                    ctx.sleep(Duration.ofMillis(20));
                    return ctx.step("answer", String.class, () -> secret);
                });
    }

    private static WorkflowHandle<String> start(Dormouse dormouse, int number) {
        return dormouse.start("parent", "p" + number, String.class, ROUNDS);
    }

    @Test
    void familiesOfWhichCommitsWereLostEndAsOneFamily(@TempDir Path directory) throws Exception {
        try (StandbyPair servers = StandbyPair.following(directory, SCHEMA);
                Cable name = new Cable(servers.primaryPort());
                Dormouse one = open(name);
                Dormouse two = open(name)) {
            for (int i = 0; i < PARENTS; i++) {
                start(i % 2 == 0 ? one : two, i);
            }
            String steps = "select count(*) from dormouse.history";
            await().atMost(Duration.ofSeconds(30)).until(() -> servers.query(steps) > 500);
            servers.cutOff();
            long kept = servers.query(steps);
            await().atMost(Duration.ofSeconds(30)).until(() -> servers.queryPrimary(steps) > kept + 1_000);
            name.cutAll();
            name.leadTo(servers.standbyPort());
            servers.failOver();
            name.cutAll();
            for (int i = 0; i < PARENTS; i++) {
                assertEndsWell(start(i % 2 == 0 ? one : two, i));
            }
        }
    }

    private static void assertEndsWell(WorkflowHandle<String> handle) {
        await().atMost(Duration.ofSeconds(90))
                .until(() -> handle.describe().status().isClosed());
        assertThat(handle.describe().status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(handle.result(Duration.ofSeconds(30))).isEqualTo("all of one past");
    }

    private static Dormouse open(Cable name) {
        return family(Dormouse.builder()
                        .store("jdbc:postgresql://localhost:" + name.port() + "/postgres?user=postgres")
                        .schema(SCHEMA))
                .open();
    }
}
