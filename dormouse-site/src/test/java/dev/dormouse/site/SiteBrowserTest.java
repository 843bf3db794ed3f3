package dev.dormouse.site;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.server.chromium.Browser;
import dev.dormouse.server.chromium.Chromium;
import dev.dormouse.server.chromium.Page;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The site in a real browser, opened from its folder. Screenshots are written to target/screenshots. */
@Tag("browser")
@ExtendWith(Browser.class)
class SiteBrowserTest {
    private static final String SITE = Path.of("target", "site").toUri().toString();
    private static final Path PICTURES = Path.of("target", "screenshots");
    private static final String THEME = "document.documentElement.dataset.theme";

    private Page page;

    @BeforeEach
    void openPage(Chromium browser) {
        page = browser.page();
    }

    @AfterEach
    void nothingElseIsLoaded() {
        try (Page closed = page) {
            assertThat(closed.complaints()).isEmpty();
            assertThat(closed.requests()).allMatch(url -> url.startsWith("file:") || url.startsWith("about:"));
        }
    }

    @Test
    void searchFindsAnErrorCodeAndOpensItsPage() {
        visit("waiting.html");
        page.fill("Search", "DM1003").untilText("#site-results a:first-child .title", "DM1003");
        page.click("Search").key("Enter").untilText("h1", "DM1003");
    }

    @Test
    void searchFindsASectionByItsWords() {
        visit("errors/DM1003.html");
        page.fill("Search", "updatable timer").untilText("#site-results a", "UpdatableTimer");
        page.fill("Search", "xyzzy plugh").untilText("#site-results", "Nothing found");
    }

    @Test
    void darkModeFollowsTheSystemUntilItIsChosen() {
        page.look("dark");
        visit("index.html");
        page.until(THEME + " === 'dark'").click("Switch between light and dark").until(THEME + " === 'light'");
        visit("waiting.html");
        page.until(THEME + " === 'light'");
    }

    @Test
    void menuOpensOnAPhone() {
        page.size(390, 800);
        visit("index.html");
        page.click("Menu").click("Waiting").untilText("h1", "Waiting on time");
    }

    @ParameterizedTest
    @CsvSource({"390, light", "390, dark", "1400, light", "1400, dark"})
    void pagesFitTheWindow(int width, String look) throws IOException {
        page.size(width, 900).look(look);
        for (String name : new String[] {"index", "waiting", "cli", "errors/index", "errors/DM1003", "adr/index"}) {
            visit(name + ".html");
            page.until("document.documentElement.scrollWidth <= " + width);
            page.screenshot(PICTURES.resolve(width + "-" + look + "-" + name.replace('/', '-') + ".png"));
        }
        page.fill("Search", "deadline").until("document.querySelectorAll('#site-results a').length > 5");
        page.screenshot(PICTURES.resolve(width + "-" + look + "-search.png"));
    }

    private void visit(String path) {
        page.visit(SITE + path).until("document.readyState === 'complete' && location.href.endsWith('" + path + "')");
    }
}
