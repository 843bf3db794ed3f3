package dev.dormouse.server.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.server.chromium.Browser;
import dev.dormouse.server.chromium.Chromium;
import dev.dormouse.server.chromium.Page;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The layout of single parts: nothing is cut off, reversed or too small. Screenshots are written to target/screenshots.
 * {@link EveryPageTest} checks all pages and dialogs.
 */
@Tag("browser")
@ExtendWith(Browser.class)
class LayoutTest {
    private static final Path PICTURES = Path.of("target", "screenshots", "looks");

    private static Chromium browser;
    private static Gallery gallery;

    private Page page;

    @BeforeAll
    static void startAll(Chromium chromium) throws IOException, SQLException {
        browser = chromium;
        gallery = new Gallery();
    }

    @AfterAll
    static void closeAll() throws IOException {
        if (gallery != null) {
            gallery.close();
        }
    }

    @BeforeEach
    void openPage() {
        page = browser.page();
    }

    @AfterEach
    void consoleHasNoErrors() {
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

    @ParameterizedTest
    @ValueSource(ints = {390, 700, 900, 1100, 1400})
    void shortIdsAreNotBroken(int width) {
        page.size(width, 800);
        for (String hash : new String[] {"timers", "timers?view=own", "workflows"}) {
            visit("#/" + hash);
            page.until("document.querySelector('td .id')")
                    .until("[...document.querySelectorAll('td .id')].filter(e => e.textContent.length < 12)"
                            + ".every(e => e.getBoundingClientRect().height < 30)");
        }
    }

    private void visit(String hash) {
        page.visit(gallery.full.url() + "/" + hash);
    }
}
