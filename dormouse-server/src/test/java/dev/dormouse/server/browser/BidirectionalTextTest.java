package dev.dormouse.server.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.schedule.Cron;
import dev.dormouse.schedule.Schedule;
import dev.dormouse.server.DormouseServer;
import dev.dormouse.server.chromium.Browser;
import dev.dormouse.server.chromium.Chromium;
import dev.dormouse.server.chromium.Page;
import dev.dormouse.timer.TimerOptions;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneOffset;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Ids that are written from right to left, or that override the direction, in sentences of the dashboard: the
 * dashboard's own words keep their order on the screen. The positions are measured in the browser.
 */
@Tag("browser")
@ExtendWith(Browser.class)
class BidirectionalTextTest {
    private static final String OVERRIDE = "turn-\u202Eabc";
    private static final String HEBREW = "\u05E9\u05DC\u05D5\u05DD-17";

    /** An id that closes an isolate that it did not open, and opens one that it does not close. */
    private static final String BREAKOUT = "out-\u2069\u202Eabc\u2067";

    /** Returns true if all characters of the given words run from left to right, in one of the elements. */
    private static final String STRAIGHT = """
            window.straight = (css, ...words) => [...document.querySelectorAll(css)].some(element => {
              const places = [];
              const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
              for (let node = walker.nextNode(); node; node = walker.nextNode()) {
                for (let i = 0; i < node.length; i++) places.push([node, i]);
              }
              const text = places.map(([node, i]) => node.data[i]).join('');
              const lefts = [];
              let from = 0;
              for (const word of words) {
                const at = text.indexOf(word, from);
                if (at < 0) return false;
                from = at + word.length;
                for (let i = at; i < from; i++) {
                  const range = document.createRange();
                  range.setStart(places[i][0], places[i][1]);
                  range.setEnd(places[i][0], places[i][1] + 1);
                  lefts.push(range.getBoundingClientRect().left);
                }
              }
              return lefts.every((left, i) => i === 0 || left >= lefts[i - 1]);
            });""";

    private static Chromium browser;
    private static Dormouse dormouse;
    private static DormouseServer server;

    private Page page;

    static String[] ids() {
        return new String[] {OVERRIDE, HEBREW, BREAKOUT};
    }

    @BeforeAll
    static void startAll(Chromium chromium) {
        browser = chromium;
        dormouse = Dormouse.builder()
                .store("sqlite::memory:")
                .workflow("nap", String.class, String.class, (ctx, text) -> {
                    ctx.sleep(Duration.ofDays(8));
                    return text;
                })
                .open();
        dormouse.timers().handle("charge", String.class, card -> {});
        for (String id : ids()) {
            for (int i = 0; i < 5; i++) {
                dormouse.start("nap", id + i, String.class, id);
            }
            dormouse.timers().after(Duration.ofDays(2), "charge", TimerOptions.DEFAULT.withId(id), "x");
            dormouse.schedules()
                    .create(
                            id,
                            Schedule.of(Cron.of("0 6 * * *").inZone(ZoneOffset.UTC))
                                    .withWorkflow("nap", "x"));
        }
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
        page = browser.page().before(STRAIGHT);
    }

    @AfterEach
    void consoleHasNoErrors() {
        try (Page closed = page) {
            assertThat(closed.complaints()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("ids")
    void runs(String id) {
        visit("workflows/" + encoded(id + 0));
        straight(".events td.line", "nap(\"", "\")");
        page.click("Cancel");
        straight(".dialog h2", "Cancel", "?");
        page.until(
                "!/[\\u2067\\u202e].*\\?$/.test(document.querySelector('.dialog').ariaLabel.replace(/\\u2068[^]*\\u2069/, ''))");
        page.click("Cancel the run");
        straight(".toast", "Cancellation of", "requested");
    }

    @ParameterizedTest
    @MethodSource("ids")
    void batches(String id) {
        visit("workflows?prefix=" + encoded(id));
        page.click("Pick all of these").click("Retry …");
        straight(".dialog p", ",", ",", "and", "more");
        page.click("Retry 5 runs");
        straight(".dialog .note", ":", "Expected");
    }

    @ParameterizedTest
    @MethodSource("ids")
    void timers(String id) {
        visit("timers/" + encoded(id));
        page.click("Fire " + inAttribute(id) + " now");
        straight(".dialog h2", "Fire timer", "now?");
        page.click("Fire now");
        straight(".toast", "fires now");
        visit("timers");
        page.until("document.querySelector('.histogram') && document.querySelector('table')");
        page.click("Add a timer …")
                .fill("Handler", "charge")
                .fill("Timer id", id + "-2")
                .click("Add");
        straight(".toast", "fires", "20");
    }

    @ParameterizedTest
    @MethodSource("ids")
    void schedules(String id) {
        visit("schedules");
        page.click("Delete " + inAttribute(id));
        straight(".dialog h2", "Delete schedule", "?");
        page.click("Delete").untilText(".toast", "Deleted");
    }

    private void straight(String css, String... words) {
        page.untilText(css, words[words.length - 1]);
        page.until("straight('" + css + "', '" + String.join("', '", words) + "')");
    }

    /** Returns the id as labels contain it, where no element isolates it. */
    private static String inAttribute(String id) {
        return switch (id) {
            case HEBREW -> "\u2068" + HEBREW + "\u2069";
            case OVERRIDE -> "turn-\u2068\u202Eabc\u2069";
            default -> "out-\u2068\u202Eabc\u2069";
        };
    }

    private static String encoded(String id) {
        return URLEncoder.encode(id, StandardCharsets.UTF_8);
    }

    private void visit(String hash) {
        page.visit(server.url() + "/#/" + hash);
    }
}
