package dev.dormouse.server.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.server.DormouseServer;
import dev.dormouse.server.chromium.Browser;
import dev.dormouse.server.chromium.Chromium;
import dev.dormouse.server.chromium.Page;
import dev.dormouse.timer.TimerId;
import dev.dormouse.timer.TimerOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The dashboard in a real browser, with a real server and store. Screenshots are written to target/screenshots. */
@Tag("browser")
@ExtendWith(Browser.class)
class DashboardTest {

    private static final Path PICTURES = Path.of("target", "screenshots");
    private static final CountDownLatch FIRED = new CountDownLatch(1);

    @TempDir
    static Path folder;

    private static Chromium browser;
    private static Dormouse dormouse;
    private static DormouseServer server;

    private Page page;

    @BeforeAll
    static void startAll(Chromium chromium) {
        browser = chromium;
        dormouse = Dormouse.builder()
                .store("sqlite:" + folder.resolve("orders.db"))
                .workflow(Order.class, Order.Code::new)
                .workflow("hello", String.class, String.class, (ctx, name) -> {
                    String greeting = ctx.step("greet", String.class, () -> "hello " + name);
                    ctx.sleep(Duration.ofMillis(200));
                    return greeting;
                })
                .open();
        dormouse.timers().handle("expire-session", String.class, session -> FIRED.countDown());
        dormouse.timers().handle("charge", String.class, card -> {
            throw new IllegalStateException("The bank does not answer.");
        });
        server = DormouseServer.builder().dormouse(dormouse).port(0).start();
    }

    @AfterAll
    static void closeAll() {
        if (server != null) {
            server.close();
            dormouse.close();
        }
    }

    @BeforeEach
    void openPage() {
        page = browser.page();
    }

    @AfterEach
    void consoleHasNoErrorsAndNoOtherHostIsRequested() {
        try (Page closed = page) {
            assertThat(closed.complaints()).isEmpty();
            assertThat(closed.requests())
                    .allMatch(url ->
                            url.startsWith(server.url()) || url.startsWith("data:") || url.equals("about:blank"));
        }
    }

    @Test
    void overviewUpdatesByItself() throws Exception {
        order("order-overview");
        visit("#/");
        page.until("text('.tools').includes('live')").until("text('.stat').includes('Completed today')");
        String completed = "document.querySelectorAll('.stat .value')[2].textContent";
        page.until(completed + " !== '–'");
        String before = page.read(completed);
        for (int i = 0; i < 5; i++) {
            dormouse.start("hello", "hello-" + i, String.class, "ada").result();
        }
        page.until(completed + " !== '" + before + "'");
        page.untilText(".list", "order-overview").untilText("main", "Throughput");
        page.until("document.querySelectorAll('.histogram .bar').length >= 60");
        page.until("document.querySelector('.chart .line')");
        page.screenshot(PICTURES.resolve("overview.png"));
        page.click("Switch to dark").until("document.documentElement.dataset.theme === 'dark'");
        page.screenshot(PICTURES.resolve("overview-dark.png"));
    }

    @Test
    void runIsOpenedFromTheListAndGetsASignal() throws Exception {
        order("order-signal");
        visit("#/workflows");
        page.click("order-signal").untilText("h1", "order-signal").untilText(".banner", "Waiting for");
        page.click("Signal …")
                .fill("Name", "approve")
                .fill("Arguments", "\"ida\"")
                .click("Send");
        page.untilText(".banner", "sleep").untilText(".timeline", "ship").untilText(".timeline", "TRK-881");
        page.until("document.querySelector('.timeline .waiting') && document.querySelector('.timeline .future')");
        page.screenshot(PICTURES.resolve("workflow.png"));
        page.look("dark").until("document.documentElement.dataset.theme === 'dark'");
        page.screenshot(PICTURES.resolve("workflow-dark.png"));
        page.click("Input & result").untilText("pre.value", "lamp");
        page.click("Attributes").untilText(".facts", "order-signal");
    }

    @Test
    void queryIsSentAndItsAnswerShown() {
        order("order-query");
        visit("#/workflows/order-query");
        page.untilText(".banner", "Waiting for");
        page.click("Query …").fill("Name", "state").click("Ask").untilText(".dialog pre", "reserved");
    }

    @Test
    void deadlineIsExtendedAndTheTimelineFollows() throws Exception {
        WorkflowHandle<String> order = order("order-move");
        visit("#/workflows/order-move");
        page.untilText(".banner", "in 23 h 59 m");
        String end = page.read("document.querySelector('.timeline .axis-end').textContent");
        page.click("Move …").fill("From now", "7d").fill("Reason", "holidays").click("Move");
        page.untilText(".banner", "in 6 d 23 h");
        page.until("document.querySelector('.timeline .axis-end').textContent !== '" + end + "'");
        page.screenshot(PICTURES.resolve("workflow-moved.png"));
        assertThat(order.waits().get(0).until())
                .hasValueSatisfying(at -> assertThat(at).isAfter(Instant.now().plus(Duration.ofDays(6))));
    }

    @Test
    void deadlineIsTimedOutByHandAfterConfirmation() {
        WorkflowHandle<String> order = order("order-fire");
        visit("#/workflows/order-fire");
        page.click("Time out now").untilText("[role=dialog]", "as if its time were up");
        page.click("Close").until("!document.querySelector('[role=dialog]')");
        assertThat(order.describe().status().isClosed()).isFalse();
        page.click("Time out now").click("Time out now").untilText(".banner", "Completed");
        assertThat(order.result()).isEqualTo("nobody approved R-17");
    }

    @Test
    void timerIsFired() throws Exception {
        TimerId id = dormouse.timers()
                .after(Duration.ofHours(2), "expire-session", TimerOptions.DEFAULT.withId("session-1"), "s-1");
        visit("#/timers");
        page.untilText("table", id.value()).screenshot(PICTURES.resolve("timers.png"));
        page.click("Fire " + id.value() + " now").click("Fire now");
        assertThat(FIRED.await(10, TimeUnit.SECONDS)).isTrue();
        page.click("stand-alone").untilText("table", "Fired");
    }

    @Test
    void failingTimerIsSeenInTheListAndHasAPage() throws Exception {
        dormouse.timers().after(Duration.ZERO, "charge", TimerOptions.DEFAULT.withId("charge-1"), "card-7");
        visit("#/timers?view=own&prefix=charge");
        page.untilText("table .red", "The bank does not answer").untilText("table td.num", "failed");
        page.screenshot(PICTURES.resolve("timers-own.png"));
        page.click("charge-1").untilText("h1", "charge-1").untilText(".banner", "The bank does not answer");
        page.untilText("pre.value", "card-7").untilText(".facts", "charge").untilText(".events", "StepPostponed");
        page.screenshot(PICTURES.resolve("timer.png"));
        page.click("Cancel charge-1").click("Cancel the timer").untilText(".title", "Cancelled");
    }

    @Test
    void timersHaveTheirOwnCount() {
        TimerId id = dormouse.timers()
                .after(Duration.ofDays(2), "expire-session", TimerOptions.DEFAULT.withId("counted"), "s-1");
        visit("#/");
        page.until("[...document.querySelectorAll('.stat')].some(e => /^Timers\\d/.test(e.textContent))");
        dormouse.timers().cancel(id);
    }

    @Test
    void runIsCancelled() {
        WorkflowHandle<String> order = order("order-cancel");
        visit("#/workflows/order-cancel");
        page.click("Cancel")
                .fill("Reason", "changed my mind")
                .click("Cancel the run")
                .untilText(".banner", "Cancelled");
        assertThat(order.describe().status()).isEqualTo(RunStatus.CANCELLED);
    }

    @Test
    void severalAreCancelledAtOnce() {
        WorkflowHandle<String> one = order("many-1");
        WorkflowHandle<String> two = order("many-2");
        visit("#/workflows?prefix=many-");
        page.untilText("table", "many-2")
                .click("Pick all of these")
                .click("Cancel …")
                .click("Cancel 2 runs");
        page.until("text('tbody').split('Cancelled').length === 3");
        assertThat(one.describe().status()).isEqualTo(two.describe().status()).isEqualTo(RunStatus.CANCELLED);
    }

    @Test
    void scheduleIsCreatedPausedResumedTriggeredAndDeleted() {
        visit("#/schedules");
        page.click("Create a schedule …").fill("Schedule id", "mornings").fill("Cron", "0 9 * * *");
        page.fill("Time zone", "Europe/Berlin").fill("Type", "hello").fill("Input", "\"ada\"");
        page.until("text('.dialog .note').split(':00:00').length === 6").click("Create");
        page.untilText("table", "mornings").click("Pause mornings").untilText("table", "paused");
        page.click("Resume mornings").until("!text('table').includes('paused')");
        page.click("Trigger mornings").untilText(".toasts", "Triggered");
        page.click("Delete mornings").click("Delete").untilText(".empty", "no schedule");
    }

    @Test
    void keyboardShortcutsNavigate() {
        visit("#/");
        page.untilText(".nav [aria-current]", "Overview");
        page.key("g").key("t").untilText(".nav [aria-current]", "Timers");
        page.key("g").key("n").untilText(".nav [aria-current]", "Nodes");
        page.key("?").untilText(".dialog", "search workflows");
        page.key("Escape").until("!document.querySelector('.dialog')");
        page.key("/").until("document.activeElement.id === 'search'");
    }

    @Test
    void timelineCollapsesIdleTimeAndKeepsTheOrder() {
        visit("#/nodes");
        page.untilText("h2", "Nodes");
        String scale =
                "(await import('/parts/timeline-scale.js')).scaleOf([0, 10, 1500, 4000, 3600e3, 3602e3, 2 * 86400e3], 100, 1000)";
        assertThat(page.read(scale + ".pieces.map(piece => piece.collapsed)"))
                .isEqualTo("false,false,false,true,false,true");
        assertThat(page.read(scale + ".pieces.every(piece => piece.width >= 9)"))
                .isEqualTo("true");
        assertThat(page.read(
                        "(s => [0, 5, 10, 2000, 1e6, 3601e3, 86400e3, 1e9].map(s.x).map(Math.round))(" + scale + ")"))
                .matches("100,\\d+.*,1000")
                .satisfies(xs -> assertThat(List.of(xs.split(",")).stream()
                                .map(Integer::valueOf)
                                .toList())
                        .isSorted());
    }

    @Test
    void payloadIsShownAndNotExecuted() {
        dormouse.start("hello", "hello-script", String.class, "<img src=x onerror=\"document.title='bad'\">")
                .result();
        visit("#/workflows/hello-script?tab=values");
        page.untilText("pre.value", "<img src=x").until("!document.querySelector('pre.value img')");
        assertThat(page.read("document.title")).isEqualTo("hello-script · Dormouse");
    }

    @Test
    void pagesFitAPhone() throws Exception {
        order("order-phone");
        page.size(375, 812).look("dark");
        for (String name : new String[] {"", "workflows", "workflows/order-phone", "timers", "schedules", "nodes"}) {
            visit("#/" + name);
            page.until("document.querySelector('.card') && !document.querySelector('.loading')");
            page.until("document.documentElement.scrollWidth <= 375");
            page.screenshot(
                    PICTURES.resolve("phone-" + (name.isEmpty() ? "overview" : name.replace('/', '-')) + ".png"));
        }
    }

    private static WorkflowHandle<String> order(String id) {
        Order order = dormouse.workflow(Order.class, id);
        WorkflowHandle<String> handle = dormouse.start(() -> order.run("lamp"));
        await().atMost(Duration.ofSeconds(10))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> handle.describe().wakeAt().isPresent()
                        && handle.describe().historyLength() > 1);
        return handle;
    }

    private void visit(String hash) {
        page.visit(server.url() + "/" + hash);
    }
}
