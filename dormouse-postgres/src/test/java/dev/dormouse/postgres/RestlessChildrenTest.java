package dev.dormouse.postgres;

import static org.awaitility.Awaitility.await;

import dev.dormouse.ChildOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.inspect.RunStatus;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Parents that close while their children continue as new all the time, on two nodes. */
@Timeout(60)
class RestlessChildrenTest {
    private static final Duration ROUND = Duration.ofMillis(100);

    private static DormouseBuilder family(DormouseBuilder node) {
        return node.workflow("parent", Integer.class, String.class, (ctx, millis) -> {
                    String id = ctx.info().workflowId() + "-child";
                    ctx.child("child", id, ChildOptions.DEFAULT, String.class, 0);
                    ctx.sleep(Duration.ofMillis(millis));
                    return "closed";
                })
                .workflow("child", Integer.class, String.class, (ctx, number) -> {
                    ctx.sleep(ROUND);
                    ctx.continueAsNew(number + 1);
                    return "";
                });
    }

    private static void assertAllEnd(Dormouse dormouse, int parents) {
        for (int i = 0; i < parents; i++) {
            dormouse.start("parent", "p" + i, String.class, 300 + 17 * i);
        }
        for (int i = 0; i < parents; i++) {
            String id = "p" + i + "-child";
            await().atMost(Duration.ofSeconds(40))
                    .until(() -> dormouse.find(id, String.class)
                            .filter(child -> child.describe().status() == RunStatus.TERMINATED)
                            .isPresent());
        }
    }

    private static Dormouse open(String schema) {
        return family(Dormouse.builder().store(TestPostgres.url()).schema(schema))
                .open();
    }

    @Test
    void childrenThatContinueAllTheTimeEndWithTheirParents() {
        String schema = TestPostgres.newSchema();
        try (Dormouse one = open(schema);
                Dormouse two = open(schema)) {
            assertAllEnd(two, 40);
        }
    }
}
