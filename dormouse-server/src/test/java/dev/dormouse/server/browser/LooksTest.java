package dev.dormouse.server.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.TimerOptions;
import dev.dormouse.dag.Dag;
import dev.dormouse.dag.DagBuilder;
import dev.dormouse.dag.Dags;
import dev.dormouse.server.DormouseServer;
import dev.dormouse.server.chromium.Browser;
import dev.dormouse.server.chromium.Chromium;
import dev.dormouse.server.chromium.Page;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What pages and dialogs look like: nothing is cut, turned around or too small. Pictures are left in target/screenshots. */
@ExtendWith(Browser.class)
class LooksTest {
    private static final Path PICTURES = Path.of("target", "screenshots", "looks");

    private static Chromium browser;
    private static Dormouse dormouse;
    private static DormouseServer server;

    private Page page;

    @BeforeAll
    static void startAll(Chromium chromium) {
        browser = chromium;
        Dags dags = Dags.of(wide());
        dormouse = Dormouse.builder()
                .store("sqlite::memory:")
                .workflow(Order.class, Order.Code::new)
                .workflow("nap", String.class, String.class, (ctx, text) -> {
                    ctx.sleep(Duration.ofDays(800));
                    return text;
                })
                .with(dags)
                .open();
        dormouse.timers().handle("charge", String.class, card -> {
            throw new IllegalStateException("The bank does not answer.");
        });
        dormouse.timers().in(TimerOptions.DEFAULT.id("charge-1"), Duration.ZERO, "charge", "card-7");
        dormouse.timers().in(TimerOptions.DEFAULT.id("far"), Duration.ofDays(800), "charge", "card-8");
        Order order = dormouse.workflow(Order.class, "order-1");
        dormouse.start(() -> order.run("lamp"));
        dags.start("wide", "wide-1", Map.of());
        server = DormouseServer.builder().dormouse(dormouse).dags(dags).port(0).start();
    }

    /** 200 steps, 20 columns. */
    private static Dag wide() {
        DagBuilder dag = Dag.workflow("wide");
        for (int i = 0; i < 200; i++) {
            dag = dag.sleep("step-" + i, Duration.ofHours(1));
            dag = i < 10 ? dag : dag.after("step-" + (i - 10));
        }
        return dag.build();
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
    void nothingWasComplainedAbout() {
        try (Page closed = page) {
            assertThat(closed.complaints()).isEmpty();
        }
    }

    @Test
    void hintWithQuotesIsShownInFull() {
        visit("#/workflows");
        page.click("Start a workflow …").untilText(".dialog .hint", "such as [\"ada\", 17]");
    }

    @Test
    void dateOfAnotherYearNamesItsYear() {
        visit("#/timers?view=own&prefix=far");
        page.until("/ 20\\d\\d \\d\\d:/.test(text('table time'))");
    }

    @Test
    void largeDagIsReadableAndCanBeMadeSmaller() throws IOException {
        visit("#/workflows/wide-1");
        String size = "document.querySelector('.dag text.name').getBoundingClientRect().height";
        page.until("document.querySelectorAll('.dag .name').length === 200").until(size + " >= 9");
        page.screenshot(PICTURES.resolve("dag.png"));
        page.click("Fit")
                .until("document.querySelector('.dag').clientWidth <= document.querySelector('.dag-box').clientWidth");
        page.click("Larger").click("Larger").click("Larger").until(size + " >= 5");
        page.screenshot(PICTURES.resolve("dag-larger.png"));
    }

    @Test
    void shortIdsAreNotBroken() {
        visit("#/timers?view=own");
        page.size(390, 800).untilText("table", "charge-1");
        page.until(
                "[...document.querySelectorAll('td .id')].filter(e => e.textContent === 'charge-1').every(e => e.clientHeight < 30)");
    }

    @ParameterizedTest
    @CsvSource({"390, light", "390, dark", "1400, light", "1400, dark"})
    void everyPageAndDialogFits(int width, String look) throws IOException {
        page.size(width, 900).look(look);
        pictures(width + "-" + look, width);
    }

    private void pictures(String name, int width) throws IOException {
        String[] pages = {
            "",
            "workflows",
            "workflows/order-1",
            "timers",
            "timers?view=own",
            "timers?view=sql",
            "timers/charge-1",
            "schedules",
            "nodes"
        };
        for (String hash : pages) {
            visit("#/" + hash);
            page.until("document.querySelector('.card') && !document.querySelector('.loading')");
            page.until("document.documentElement.scrollWidth <= " + width);
            page.screenshot(PICTURES.resolve(name + "-" + hash.replaceAll("[^a-z0-9]+", "-") + ".png"));
        }
        dialog(name, width, "workflows", "Start a workflow …");
        dialog(name, width, "timers", "Add a timer …");
        dialog(name, width, "schedules", "Create a schedule …");
        for (String action :
                new String[] {"Signal …", "Query …", "Reset …", "Cancel", "Terminate", "Move …", "Time out now"}) {
            dialog(name, width, "workflows/order-1", action);
        }
    }

    private void dialog(String name, int width, String hash, String action) throws IOException {
        visit("#/" + hash);
        page.click(action).until("document.querySelector('[role=dialog]')");
        page.until("document.querySelector('[role=dialog]').getBoundingClientRect().right <= " + width);
        page.screenshot(PICTURES.resolve(name + "-dialog-" + action.replaceAll("[^A-Za-z]+", "-") + ".png"));
        page.key("Escape").until("!document.querySelector('[role=dialog]')");
    }

    private void visit(String hash) {
        page.visit(server.url() + "/" + hash);
    }
}
