package dev.dormouse.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.Explanation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The generated site, and what fails the build. */
class SiteGeneratorTest {
    private static final Path SITE = Path.of("target", "site");

    @TempDir
    private Path root;

    @BeforeEach
    void writeSmallRepository() throws IOException {
        write(
                "README.md",
                "# Dormouse\n\nDurable.\n\n```java\nrun();\n```\n\nSee [timers](docs/timers.md#how-it-works).\n");
        write("docs/timers.md", "# Timers\n\n## How it works\n\nAn error is DM1003.\n");
        write("docs/adr/README.md", "# Decisions\n");
        write("docs/site.json", """
                {"groups": [{"title": "Start", "pages": [
                  {"file": "README.md", "label": "Overview", "summary": "Start here"},
                  {"file": "docs/timers.md", "label": "Timers", "summary": "Timers"}]},
                  {"title": "Errors"}, {"title": "Decisions"}]}""");
    }

    @Test
    void everyErrorCodeHasAPageWithAllItsTexts() throws IOException {
        for (ErrorCode code : ErrorCode.values()) {
            Explanation text = Explanation.of(code);
            String markdown = ErrorPages.all().stream()
                    .filter(page -> page.output().equals("errors/" + code.label() + ".html"))
                    .findFirst()
                    .orElseThrow()
                    .markdown();
            assertThat(markdown)
                    .contains(ErrorPages.prose(text.meaning()), ErrorPages.prose(text.when()), text.example())
                    .contains(ErrorPages.prose(text.whatToDo()));
            assertThat(text.when()).as(code.name()).isNotBlank();
            assertThat(SITE.resolve("errors/" + code.label() + ".html")).isNotEmptyFile();
            assertThat(Files.readString(SITE.resolve("errors/index.html"))).contains(code.label() + ".html");
        }
    }

    @Test
    void llmsTextHasTheSmallestProgramAndEveryGroup() throws IOException {
        String text = Files.readString(SITE.resolve("llms.txt"));
        assertThat(text)
                .startsWith("# Dormouse\n\n> Dormouse is")
                .contains("Dormouse.builder()", "## Guides", "](waiting.html): ", "](errors/DM1003.html): ");
        assertThat(Files.readString(SITE.resolve("llms-full.txt"))).contains("# Waiting on time", "# DM4001");
    }

    @Test
    void errorCodeInTheTextLinksToItsPage() throws IOException {
        generate();
        assertThat(Files.readString(root.resolve("out/timers.html")))
                .contains("<a href=\"errors/DM1003.html\">DM1003</a>");
    }

    @Test
    void brokenLinkFails() throws IOException {
        write("docs/timers.md", "# Timers\n\n## How it works\n\n[gone](gone.md)\n");
        assertThatThrownBy(this::generate)
                .hasMessageContaining("docs/timers.md: Expected a file for the link 'gone.md'");
    }

    @Test
    void brokenAnchorFails() throws IOException {
        write("docs/timers.md", "# Timers\n\n## How it worked\n");
        assertThatThrownBy(this::generate)
                .hasMessageContaining("README.md: Expected a heading for the link 'docs/timers.md#how-it-works'");
    }

    @Test
    void pictureOfAnotherHostFails() throws IOException {
        write("docs/timers.md", "# Timers\n\n## How it works\n\n![x](https://pictures.example/x.png)\n");
        assertThatThrownBy(this::generate).hasMessageContaining("Expected to load nothing from other hosts");
    }

    @Test
    void idOfTwoElementsFails() {
        String page = "<div id=\"results\"></div><h2 id=\"results\">Results</h2>";
        assertThat(LinkCheck.site(Map.of("a.html", page), Set.of()))
                .singleElement()
                .asString()
                .contains("site/a.html: Expected one element with the id 'results'");
    }

    @Test
    void headingsMayHaveTheNamesOfThePartsOfAPage() throws IOException {
        String headings =
                "# Timers\n\n## How it works\n\n## Results\n\n## Search\n\n## Menu\n\n## Theme\n\n## Content\n\n## Nav\n";
        write("docs/timers.md", headings);
        generate();
        assertThat(Files.readString(root.resolve("out/timers.html"))).contains("<h2 id=\"results\">");
    }

    @Test
    void guideThatIsNotInTheNavigationFails() throws IOException {
        write("docs/new.md", "# New\n");
        assertThatThrownBy(this::generate).hasMessageContaining("Add {\"file\": \"docs/new.md\"");
    }

    @Test
    void javadocBecomesPartOfTheSite() throws IOException {
        write("apidocs/index.html", "<html></html>");
        write("docs/site.json", Files.readString(root.resolve("docs/site.json")).replace("Start\"", "Reference\""));
        new SiteGenerator(root, root.resolve("apidocs"), "").write(root.resolve("out"));
        assertThat(root.resolve("out/javadoc/index.html")).exists();
        assertThat(Files.readString(root.resolve("out/index.html"))).contains("javadoc/index.html");
    }

    @Test
    void anchorsAreThoseOfGitHub() {
        GitHubSlugs slugs = new GitHubSlugs();
        assertThat(slugs.next("7. Replay is checked")).isEqualTo("7-replay-is-checked");
        assertThat(slugs.next("`Workflow.await(…)`: wait")).isEqualTo("workflowawait-wait");
        assertThat(slugs.next("7. Replay is checked")).isEqualTo("7-replay-is-checked-1");
    }

    @Test
    void codeIsHighlightedAndEscaped() {
        assertThat(CodeHighlighter.html("return \"<a>\"; // x", "java"))
                .isEqualTo(
                        "<span class=\"hl-keyword\">return</span> <span class=\"hl-string\">&quot;&lt;a&gt;&quot;</span>; "
                                + "<span class=\"hl-comment\">// x</span>");
    }

    private void generate() {
        new SiteGenerator(root, null, "").write(root.resolve("out"));
    }

    private void write(String path, String text) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
