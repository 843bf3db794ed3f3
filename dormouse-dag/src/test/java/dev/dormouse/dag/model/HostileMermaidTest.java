package dev.dormouse.dag.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.dag.Dag;
import dev.dormouse.dag.DagBuilder;
import dev.dormouse.dag.DagRun;
import dev.dormouse.dag.data.Condition;
import dev.dormouse.dag.support.DagScenario;
import dev.dormouse.dag.support.RandomDag;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Mermaid flowcharts of texts that try to break out of their label. */
class HostileMermaidTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final List<String> NASTY = List.of(
            "a\"b",
            "\"]; click x \"javascript:alert(1)\"",
            "a\nb",
            "a\r\nb",
            "a\u2028b",
            "<script>alert(1)</script>",
            "]]",
            "}}",
            "`code`",
            "#quot;",
            "%% comment",
            "%%{init: {}}%%",
            "end",
            "subgraph x",
            "A --> B",
            "\u0000",
            "&quot;",
            "\\",
            "|",
            ";",
            "x".repeat(200));
    private static final Pattern LABEL = Pattern.compile("\"([^\"]*)\"");

    /** Asserts that every line has an even number of quotes, and that no label ends early or starts markup. */
    private static void isWellFormed(String picture) {
        assertThat(picture).startsWith("flowchart");
        for (String line : picture.split("\n", -1)) {
            assertThat(line.chars().filter(c -> c == '"').count() % 2).as(line).isZero();
            assertThat(line).doesNotContain("\r");
            Matcher labels = LABEL.matcher(line);
            while (labels.find()) {
                assertThat(labels.group(1).replaceAll("<br/>|</?b>", ""))
                        .as(line)
                        .doesNotContain("<");
            }
            assertThat(labels.reset().replaceAll("")).as(line).doesNotContain("script", "click", "%%");
        }
    }

    @Test
    void namesOfActivitiesAndEventsStayInTheirLabels() {
        for (String text : NASTY) {
            Dag dag = Dag.workflow("d")
                    .task("a", text)
                    .skipIf(Condition.at("$.input.x").is(text))
                    .waitForEvent("b", text, Map.of("k", text), SECOND)
                    .after("a")
                    .map("c", text, "$.input['" + text.replaceAll("['\\\\]", "x") + "']")
                    .subWorkflowType("d", text)
                    .approval("e", SECOND)
                    .ask(text)
                    .cancelOn(text, Map.of())
                    .build();
            isWellFormed(dag.toMermaid());
        }
    }

    @Test
    void idsThatAreMermaidKeywordsAreEscaped() {
        String[] ids = {
            "end", "graph", "subgraph", "flowchart", "click", "style", "classDef", "class", "default", "o", "x"
        };
        DagBuilder builder = Dag.workflow("d");
        for (String id : ids) {
            builder.task(id, "x");
        }
        builder.task("last", "x").after(ids);
        String picture = builder.build().toMermaid();
        isWellFormed(picture);
        for (String line : picture.lines().toList()) {
            assertThat(line.strip())
                    .doesNotMatch("(end|graph|subgraph|click|style|class|default)\\b *(\\[|\\(|\\{|-->).*");
            assertThat(line).doesNotMatch(".*--[->]? *(end|graph|subgraph|click|style|class|default) *");
        }
    }

    @Test
    void failuresStayInTheirLabels() {
        for (String text : NASTY) {
            Dag dag = Dag.workflow("d").task("a", "explode").build();
            try (DagScenario scenario = DagScenario.with(
                    builder -> builder.activity("explode", Object.class, Object.class, input -> {
                        throw new IllegalStateException(text);
                    }),
                    dag)) {
                DagRun run = scenario.start("d", null);
                scenario.advance(SECOND);
                isWellFormed(run.toMermaid());
            }
        }
    }

    @Test
    void everyRandomPictureIsWellFormed() {
        for (long seed = 0; seed < 300; seed++) {
            isWellFormed(RandomDag.of(seed).toMermaid());
        }
    }
}
