package dev.dormouse.server.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.TimerOptions;
import dev.dormouse.server.DormouseServer;
import dev.dormouse.server.chromium.Browser;
import dev.dormouse.server.chromium.Chromium;
import dev.dormouse.server.chromium.Page;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** axe-core finds nothing serious on any page: contrast, names of what can be clicked, labels, order of headings. */
@ExtendWith(Browser.class)
class AccessibilityTest {
    private static final List<String> PAGES = List.of(
            "",
            "workflows",
            "workflows/order-1",
            "timers",
            "timers?view=own",
            "timers?view=sql",
            "timers/charge-1",
            "schedules",
            "nodes");

    private static final String FINDINGS = """
            JSON.stringify((await axe.run(document, {resultTypes: ['violations']})).violations
              .filter(v => v.impact === 'serious' || v.impact === 'critical')
              .map(v => v.id + ': ' + v.nodes.map(n => n.html.slice(0, 160)).join(' | ')))""";

    private static Chromium browser;
    private static Dormouse dormouse;
    private static DormouseServer server;
    private static String axe;

    @BeforeAll
    static void startAll(Chromium chromium) throws IOException {
        browser = chromium;
        axe = axe();
        dormouse = Dormouse.builder()
                .store("sqlite::memory:")
                .workflow(Order.class, Order.Code::new)
                .open();
        dormouse.timers().handle("charge", String.class, card -> {
            throw new IllegalStateException("The bank does not answer.");
        });
        dormouse.timers().in(TimerOptions.DEFAULT.id("charge-1"), Duration.ZERO, "charge", "card-7");
        Order order = dormouse.workflow(Order.class, "order-1");
        dormouse.start(() -> order.run("lamp"));
        server = DormouseServer.builder().dormouse(dormouse).port(0).start();
    }

    private static String axe() throws IOException {
        try (InputStream in = AccessibilityTest.class.getResourceAsStream("/axe.min.js")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @AfterAll
    static void closeAll() {
        if (server != null) {
            server.close();
            dormouse.close();
        }
    }

    @ParameterizedTest
    @CsvSource({"390, light", "1400, light", "1400, dark"})
    void nothingSeriousIsFound(int width, String look) {
        List<String> found = new ArrayList<>();
        try (Page page = browser.page()) {
            page.size(width, 900).look(look).visit(server.url() + "/");
            page.until("document.querySelector('.card') && !document.querySelector('.loading')");
            page.load(axe);
            for (String hash : PAGES) {
                page.visit(server.url() + "/#/" + hash);
                page.until("document.querySelector('.card') && !document.querySelector('.loading')");
                check(page, hash, found);
            }
            for (String action : List.of("Signal …", "Query …", "Terminate")) {
                page.visit(server.url() + "/#/workflows/order-1").click(action);
                page.until("document.querySelector('[role=dialog]')");
                check(page, action, found);
                page.key("Escape").until("!document.querySelector('[role=dialog]')");
            }
        }
        assertThat(found).isEmpty();
    }

    private static void check(Page page, String where, List<String> found) {
        String findings = page.read(FINDINGS);
        if (!findings.equals("[]")) {
            found.add(where + ": " + findings);
        }
    }
}
