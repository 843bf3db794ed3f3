package dev.dormouse.server.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.server.chromium.Browser;
import dev.dormouse.server.chromium.Chromium;
import dev.dormouse.server.chromium.Page;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
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
 * Every page and dialog in each look: nothing is cut off, and axe-core reports no serious problem with contrast, names of
 * controls, labels or the order of headings. Each is visited once for all checks. Screenshots are written to
 * target/screenshots.
 */
@Tag("browser")
@ExtendWith(Browser.class)
class EveryPageTest {
    private static final Path PICTURES = Path.of("target", "screenshots", "looks");

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
        try (InputStream in = EveryPageTest.class.getResourceAsStream("/axe.min.js")) {
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
    @CsvSource({"390, light", "390, dark", "1400, light", "1400, dark"})
    void everyPageFitsAndIsAccessible(int width, String look) throws IOException {
        List<String> findings = new ArrayList<>();
        try (Page page = browser.page().before(axe)) {
            page.size(width, 900).look(look);
            for (Scene scene : Scene.PAGES) {
                scene.show(page, gallery);
                page.until("document.documentElement.scrollWidth <= " + width);
                page.wholePicture(picture(width, look, scene));
                check(page, scene, findings);
            }
            assertThat(errors(page)).isEmpty();
        }
        assertThat(findings).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"390, light", "390, dark", "1400, light", "1400, dark"})
    void everyDialogFitsAndIsAccessible(int width, String look) throws IOException {
        List<String> findings = new ArrayList<>();
        try (Page page = browser.page().before(axe)) {
            page.size(width, 844).look(look);
            for (Scene scene : Scene.DIALOGS) {
                scene.show(page, gallery);
                page.until("document.querySelector('[role=dialog]').getBoundingClientRect().right <= " + width);
                page.until("document.querySelector('.overlay').scrollWidth <= " + width);
                page.screenshot(picture(width, look, scene));
                check(page, scene, findings);
                scene.leave(page);
            }
            assertThat(errors(page)).isEmpty();
        }
        assertThat(findings).isEmpty();
    }

    private static Path picture(int width, String look, Scene scene) {
        return PICTURES.resolve(width + "-" + look + "-" + scene.name() + ".png");
    }

    /** Returns what the console complained about; scenes of missing and refused things fail to load on purpose. */
    private static List<String> errors(Page page) {
        return page.complaints().stream()
                .filter(complaint -> !complaint.contains("Failed to load resource"))
                .toList();
    }

    private static void check(Page page, Scene scene, List<String> findings) {
        String found = page.read(FINDINGS);
        if (!found.equals("[]")) {
            findings.add(scene.name() + ": " + found);
        }
    }
}
