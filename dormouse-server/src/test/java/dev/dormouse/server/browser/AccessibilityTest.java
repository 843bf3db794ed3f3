package dev.dormouse.server.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.server.chromium.Browser;
import dev.dormouse.server.chromium.Chromium;
import dev.dormouse.server.chromium.Page;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * axe-core reports no serious problem on any page or dialog: contrast, names of controls, labels, order of headings.
 */
@Tag("browser")
@ExtendWith(Browser.class)
class AccessibilityTest {
    private static final String FINDINGS = """
            JSON.stringify((await axe.run(document, {resultTypes: ['violations']})).violations
              .filter(v => v.impact === 'serious' || v.impact === 'critical')
              .map(v => v.id + ': ' + v.nodes.map(n => n.html.slice(0, 160)).join(' | ')))""";

    private static Chromium browser;
    private static Gallery gallery;
    private static String axe;

    @BeforeAll
    static void startAll(Chromium chromium) throws IOException, SQLException {
        browser = chromium;
        axe = axe();
        gallery = new Gallery();
    }

    private static String axe() throws IOException {
        try (InputStream in = AccessibilityTest.class.getResourceAsStream("/axe.min.js")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @AfterAll
    static void closeAll() throws IOException {
        if (gallery != null) {
            gallery.close();
        }
    }

    @ParameterizedTest
    @CsvSource({"390, light", "1400, light", "1400, dark"})
    void pagesHaveNoSeriousProblems(int width, String look) {
        check(Scene.PAGES, width, look);
    }

    @ParameterizedTest
    @CsvSource({"390, light", "1400, light", "1400, dark"})
    void dialogsHaveNoSeriousProblems(int width, String look) {
        check(Scene.DIALOGS, width, look);
    }

    private static void check(List<Scene> scenes, int width, String look) {
        List<String> found = new ArrayList<>();
        try (Page page = browser.page().before(axe)) {
            page.size(width, 900).look(look);
            for (Scene scene : scenes) {
                scene.show(page, gallery);
                check(page, scene.name(), found);
                scene.leave(page);
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
