package dev.dormouse.cli;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.plugin.WorkflowModule;
import dev.dormouse.postgres.sqltimers.SqlTimerNode;
import java.time.Duration;

/** Workflows that run while their node or store fails, and optionally a node of SQL timers. */
public final class LongRunningWorkflows implements WorkflowModule {
    /** The environment variable with the URL of the SQL timers database. */
    public static final String TIMERS = "LONG_RUNNING_TIMERS";

    @Override
    public void register(DormouseBuilder builder) {
        builder.leasePeriod(Duration.ofSeconds(3))
                .sweepInterval(Duration.ofSeconds(2))
                .workflow(
                        "guarding",
                        String.class,
                        String.class,
                        (ctx, text) -> ctx.step("watch", String.class, () -> {
                            Thread.sleep(Duration.ofHours(1).toMillis());
                            return text;
                        }))
                .workflow("patrolling", String.class, String.class, (ctx, text) -> {
                    for (int i = 0; i < 10_000; i++) {
                        ctx.step("look", String.class, () -> text);
                        ctx.sleep(Duration.ofMillis(200));
                    }
                    return text;
                });
    }

    @Override
    public void opened(Dormouse dormouse) {
        String url = System.getenv(TIMERS);
        if (url != null) {
            SqlTimerNode.builder().url(url).open();
        }
    }
}
