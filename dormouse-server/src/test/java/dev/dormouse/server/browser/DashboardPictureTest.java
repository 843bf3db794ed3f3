package dev.dormouse.server.browser;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.ActivityOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.RetryPolicy;
import dev.dormouse.WorkflowContext;
import dev.dormouse.server.DormouseServer;
import dev.dormouse.server.chromium.Browser;
import dev.dormouse.server.chromium.Chromium;
import dev.dormouse.server.chromium.Page;
import dev.dormouse.timer.TimerOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Takes the picture docs/dashboard.png: the overview after {@code -Dsoak.minutes} of a steady load, in
 * target/screenshots/dashboard.png. The picture shows how late timers are, so take it on a machine that does nothing else.
 */
@Tag("soak")
@ExtendWith(Browser.class)
class DashboardPictureTest {
    private static final ActivityOptions ONCE =
            ActivityOptions.DEFAULT.withRetry(RetryPolicy.DEFAULT.withMaxAttempts(1));
    private static final int MOST_SECONDS = 3_600;

    private final Random random = new Random(1);
    private int number;

    @TempDir
    private Path folder;

    @Test
    void overviewUnderASteadyLoad(Chromium browser) throws Exception {
        ScheduledExecutorService load = Executors.newSingleThreadScheduledExecutor();
        try (Dormouse dormouse = Dormouse.builder()
                        .store("sqlite:" + folder.resolve("orders.db"))
                        .name("orders-1")
                        .workflow("order", Integer.class, String.class, DashboardPictureTest::order)
                        .open();
                DormouseServer server =
                        DormouseServer.builder().dormouse(dormouse).port(0).start();
                Page page = browser.page()) {
            dormouse.timers().handle("expire-session", String.class, session -> {});
            Future<?> starts = load.scheduleAtFixedRate(() -> startSome(dormouse), 0, 250, TimeUnit.MILLISECONDS);
            assertThatThrownBy(() -> starts.get(Long.getLong("soak.minutes", 1), TimeUnit.MINUTES))
                    .as("the load continues until the picture is taken")
                    .isInstanceOf(TimeoutException.class);
            page.visit(server.url() + "/#/").untilText(".tools", "live").untilText("main", "runs completed");
            page.until("document.querySelectorAll('.histogram .bar').length >= 60");
            page.until("document.querySelector('.chart .line')");
            page.screenshot(Path.of("target", "screenshots", "dashboard.png"));
        } finally {
            load.shutdownNow();
        }
    }

    /** Starts an order and two timers. Most timers are due within minutes, few in an hour. */
    private void startSome(Dormouse dormouse) {
        number++;
        dormouse.start("order", "order-" + number, String.class, number);
        for (int i = 0; i < 2; i++) {
            String session = "session-" + number + (i == 0 ? "a" : "b");
            double share = random.nextDouble();
            Duration delay = Duration.ofMillis((long) (share * share * share * MOST_SECONDS * 1_000));
            dormouse.timers().after(delay, "expire-session", TimerOptions.DEFAULT.withId(session), session);
        }
    }

    /** Two steps and a sleep of some seconds; every fortieth order fails. */
    private static String order(WorkflowContext ctx, int order) {
        ctx.step("reserve", () -> {});
        ctx.sleep(Duration.ofSeconds(6 + order % 5));
        return ctx.step("charge", ONCE, String.class, () -> {
            if (order % 40 == 0) {
                throw new IllegalStateException("The card was declined.");
            }
            return "paid";
        });
    }
}
