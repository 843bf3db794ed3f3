package dev.dormouse.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.demo.order.OrderIds;
import dev.dormouse.demo.order.Plan;
import dev.dormouse.demo.worker.PipeProtocol;
import dev.dormouse.server.chromium.Browser;
import dev.dormouse.server.chromium.Chromium;
import dev.dormouse.server.chromium.OtherSite;
import dev.dormouse.server.chromium.Page;
import dev.dormouse.support.ProgramProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The demo's dashboard in a real browser: the demo runs at a terminal, its workers are the processes that it starts,
 * and the test presses its keys. Screenshots are left in target/screenshots.
 */
@Tag("process")
@ExtendWith(Browser.class)
@EnabledOnOs(value = OS.LINUX, disabledReason = "The terminal is made by script of util-linux")
@Timeout(120)
class DemoDashboardTest {
    private static final Duration LEAVING = Duration.ofSeconds(10);
    private static final Path PICTURES = Path.of("target", "screenshots");
    private static final int USUAL_PORT = 7070;

    /** By their plans, these two of the first twenty orders wait longest for an approval. */
    private static final String LAMP = OrderIds.idOf(2);

    private static final String ATLAS = OrderIds.idOf(4);

    @TempDir
    Path directory;

    private static Chromium browser;

    private Page page;
    private ProgramProcess demo;
    private String url = "";
    private boolean isKilled;

    @BeforeAll
    static void findBrowser(Chromium chromium) {
        browser = chromium;
    }

    @AfterEach
    void quit() throws Exception {
        try (Page closed = page;
                ProgramProcess quitted = demo) {
            assertThat(closed.complaints()).allMatch(complaint -> isKilled && isOfAServerThatIsGone(complaint));
            assertThat(closed.requests())
                    .allMatch(address -> address.startsWith("http://127.0.0.1:")
                            || address.startsWith("data:")
                            || address.equals("about:blank"));
            quitted.type("q");
            assertThat(quitted.awaitExitCode()).as(quitted.output()).isZero();
            assertThat(quitted.output()).contains("The orders are asleep in ");
        }
    }

    private static boolean isOfAServerThatIsGone(String complaint) {
        return complaint.contains("\"source\":\"network\"") && complaint.contains("net::ERR_");
    }

    @Test
    void ordersOnSqliteObeyThePageAndItOutlivesTheWorker() throws Exception {
        try (ServerSocket other = occupy(USUAL_PORT)) {
            start();
            assertThat(URI.create(url).getPort()).isNotEqualTo(USUAL_PORT);
            overviewMovesByItself("sqlite");
            ordersObeyThePage("sqlite");
            anyWorkflowIdWorks();
            othersAreRefused();
            pageOutlivesTheWorker();
        }
    }

    @Test
    void ordersOnPostgresObeyThePageAndItShowsTheTakeover() throws Exception {
        start("--postgres");
        overviewMovesByItself("postgres");
        ordersObeyThePage("postgres");
        takeoverIsShown();
    }

    /**
     * A port that stays occupied is fine too; a program that is about to end, such as the demo of the previous test, is
     * waited for.
     */
    private static ServerSocket occupy(int port) throws IOException {
        ServerSocket socket = new ServerSocket();
        for (long end = System.nanoTime() + LEAVING.toNanos(); !socket.isBound() && System.nanoTime() - end < 0; ) {
            try {
                socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            } catch (IOException taken) {
                LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
            }
        }
        return socket;
    }

    private void start(String... options) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(options));
        arguments.addAll(List.of("--dir", directory.resolve("demo").toString()));
        page = browser.page();
        demo = ProgramProcess.startOnScreen(directory, Demo.class, arguments.toArray(String[]::new));
        url = demo.awaitOutput("Dormouse demo\\S*\\s+(http://127\\.0\\.0\\.1:\\d+)\\D")
                .group(1);
    }

    private void overviewMovesByItself(String store) throws IOException {
        String waiting = "document.querySelectorAll('.stat .value')[1].textContent";
        String next = "[...document.querySelectorAll('.list a')].map(e => e.textContent).join()";
        page.visit(url + "/").untilText(".tools", "live").until(waiting + " > 0 && " + next + ".includes('order-')");
        page.read("window.isStillTheSame = true");
        String before = page.read(waiting);
        String list = page.read(next);
        page.until(waiting + " !== '" + before + "' && " + next + " !== '" + list + "' && isStillTheSame");
        page.untilText(".list", "worker A").screenshot(picture("demo-" + store));
    }

    private void ordersObeyThePage(String store) throws IOException {
        page.visit(url + "/#/workflows")
                .untilText("tbody", "worker A")
                .click(ATLAS)
                .untilText(".banner", "Waiting for await");
        String end = page.read("document.querySelector('.timeline .axis-end').textContent");
        page.click("Move …").fill("From now", "1h").fill("Reason", "on holiday").click("Move");
        page.untilText(".banner", "in 59 m");
        page.until("document.querySelector('.timeline .axis-end').textContent !== '" + end + "'");

        page.click("Signal …").fill("Name", "approve").click("Send").untilText(".timeline", "Shop.ship");
        page.untilText(".banner", "Waiting for sleep").untilText(".events", "approve");
        page.screenshot(picture("demo-" + store + "-order")).look("dark");
        page.until("document.documentElement.dataset.theme === 'dark'");
        page.screenshot(picture("demo-" + store + "-order-dark")).look("light");
        page.click("Fire now")
                .click("Fire now")
                .untilText(".events", "fired by hand")
                .untilText(".banner", "Completed");

        page.visit(url + "/#/workflows/" + LAMP).untilText(".events", "The bank does not answer");
        page.click("Cancel")
                .fill("Reason", "changed my mind")
                .click("Cancel the run")
                .untilText(".banner", "Cancelled");
        assertThat(demo.awaitOutput("was called off")).isNotNull();
    }

    /** Workflow ids other than those of the demo work too. */
    private void anyWorkflowIdWorks() {
        Plan plan = new Plan("kite", 1, 0, Duration.ofMillis(10), Duration.ofMillis(10), Duration.ofMillis(10));
        page.visit(url + "/#/workflows").click("Start a workflow …").fill("Type", OrderIds.TYPE);
        page.fill("Workflow id", "by-hand")
                .fill("Input", PipeProtocol.json(plan))
                .click("Start");
        page.untilText("h1", "by-hand").untilText(".banner", "Completed");
    }

    private void othersAreRefused() throws IOException {
        String id = OrderIds.idOf(6);
        String target = url + "/api/v1/workflows/" + id + "/terminate";
        try (OtherSite site = OtherSite.start().postsForm(target);
                Page other = browser.page()) {
            other.visit(site.url()).until("location.origin === '" + url + "'");
            other.until("document.body.innerText.includes('DM')");
            assertThat(other.answers()).contains("403 " + target);
            String unknown = url.replace("127.0.0.1", "rebound.example") + "/";
            other.visit(unknown).until("location.href === '" + unknown + "' && document.body.innerText.includes('DM')");
            assertThat(other.answers()).contains("403 " + unknown);
        }
        page.visit(url + "/#/workflows/" + id).untilText("h1", id);
        assertThat(page.read("text('.events')")).doesNotContain("Terminated");
    }

    private void pageOutlivesTheWorker() throws IOException {
        page.visit(url + "/#/").untilText(".tools", "live").until("document.querySelector('.histogram .bar')");
        page.untilText("main", "steps and timers")
                .untilText(".list", "worker A")
                .read("window.isStillTheSame = true");
        kill();
        page.untilText(".tools", "no answer").screenshot(picture("demo-sqlite-killed"));
        page.untilText(".tools", "live").untilText(".toasts", "answers again");
        page.untilText(".list", "recovered").until("isStillTheSame");
    }

    private void kill() throws IOException {
        assertThat(page.complaints()).isEmpty();
        isKilled = true;
        demo.type("k");
    }

    private void takeoverIsShown() throws IOException {
        page.visit(url + "/#/").until(IS_EXECUTING); // otherwise there is nothing to take over
        assertThat(page.complaints()).isEmpty();
        page.visit("about:blank"); // the port of a dead worker may go to the demo of another test
        kill();
        String dead =
                demo.awaitOutput("Worker ([AB]) \\(process \\d+\\) is dead").group(1);
        String successor = dead.equals("A") ? "B" : "A";
        url = demo.awaitOutput("The dashboard of worker " + successor + ": (http://127\\.0\\.0\\.1:\\d+)\\D")
                .group(1);
        demo.awaitOutput(successor + " took over");
        page.visit(url + "/#/").untilText(".tools", "live").until(TAKEN_OVER);
        String order = page.read(TAKEN_OVER + ".workflowId");
        page.visit(url + "/#/workflows/" + order);
        page.untilText(".timeline", "worker " + dead + "'s lease ended");
        page.untilText(".timeline", "worker " + successor + " took over after").untilText(".title", "recovered ×1");
        page.screenshot(picture("demo-postgres-takeover"));
        page.visit(url + "/#/nodes").untilText("table", "gone").untilText("table", "worker " + dead);
        page.screenshot(picture("demo-postgres-nodes"));
    }

    /** True while a worker executes an order. Each step takes at least 1.2 s. */
    private static final String IS_EXECUTING =
            "(await (await fetch('api/v1/workflows?status=RUNNING&limit=1')).json()).items.length > 0";

    /** A run whose timeline contains a takeover, according to the page's own API. */
    private static final String TAKEN_OVER = """
            (await Promise.all((await (await fetch('api/v1/workflows?limit=40')).json()).items
              .map(async run => (await fetch('api/v1/workflows/' + run.workflowId)).json())))
              .find(run => run.timeline.lines.some(line => line.kind === 'takeover'))""";

    private static Path picture(String name) {
        return PICTURES.resolve(name + ".png");
    }
}
