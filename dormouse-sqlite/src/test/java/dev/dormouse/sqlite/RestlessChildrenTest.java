package dev.dormouse.sqlite;

import dev.dormouse.ChildOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.inspect.RunStatus;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Parents that close while their children continue as new all the time. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
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
            while (dormouse.find(id, String.class)
                    .filter(child -> child.describe().status() == RunStatus.TERMINATED)
                    .isEmpty()) {
                LockSupport.parkNanos(Duration.ofMillis(20).toNanos()); // the timeout of this class ends it
            }
        }
    }

    @Test
    void childrenThatContinueAllTheTimeEndWithTheirParents() {
        try (Dormouse dormouse =
                family(Dormouse.builder().store("sqlite::memory:")).open()) {
            assertAllEnd(dormouse, 40);
        }
    }
}
