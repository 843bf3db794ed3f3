package dev.dormouse.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.benchmarks.measure.BenchResults;
import dev.dormouse.benchmarks.measure.Reading;
import dev.dormouse.benchmarks.measure.Unit;
import java.io.StringReader;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;
import tools.jackson.databind.json.JsonMapper;

/** The output formats. */
class ReportTest {
    private final BenchResults results = new BenchResults();

    ReportTest() {
        add(1, "dormouse", "wf1@1000", Unit.PER_SECOND, 9_000);
        add(2, "dormouse", "wf1@1000", Unit.PER_SECOND, 11_000);
        add(1, "dbos", "wf1@1000", Unit.PER_SECOND, 1_000);
        add(2, "dbos", "wf1@1000", Unit.PER_SECOND, 1_000);
        add(1, "dormouse", "lateness-p50", Unit.MILLIS, 4);
        add(1, "db-scheduler", "lateness-p50", Unit.MILLIS, 1);
        add(1, "jobrunr", "lateness-p50", Unit.MILLIS, -2_000);
    }

    private void add(int round, String system, String name, Unit unit, double value) {
        results.add(round, system, new Reading(name, unit, value));
    }

    @Test
    void tableShowsMedianSpreadAndRatioToEachPeer() {
        assertThat(new MarkdownTable(results, "dormouse").text().lines())
                .containsExactly(
                        "| scenario | unit | dormouse | dbos | db-scheduler | jobrunr |",
                        "| --- | --- | --- | --- | --- | --- |",
                        "| wf1@1000 | per second | 10,000 (9,000–11,000) | 1,000 (1,000–1,000) → 10× (9–11) |  |  |",
                        "| lateness-p50 | ms | 4 |  | 1 → 0.250× | -2,000 |");
    }

    @Test
    void figuresPerOperationHaveATableOfTheirOwnAndStandLast() throws Exception {
        add(1, "dormouse", "wf1@1000-server-cpu", Unit.MICROS_PER_OPERATION, 50);
        add(1, "dbos", "wf1@1000-server-cpu", Unit.MICROS_PER_OPERATION, 500);
        add(1, "dormouse", "signals", Unit.PER_SECOND, 5_000);
        assertThat(new MarkdownTable(results, "dormouse").text().lines().skip(4))
                .containsExactly(
                        "| signals | per second | 5,000 |  |  |  |",
                        "",
                        "| scenario | unit | dormouse | dbos | db-scheduler | jobrunr |",
                        "| --- | --- | --- | --- | --- | --- |",
                        "| wf1@1000-server-cpu | µs per operation | 50 | 500 → 10× |  |  |");
        assertThat(JsonFile.text(results)).contains("\"wf1@1000-server-cpu\"", "\"µs per operation\"");
        assertThat(parse(RatioChart.text(results, "dormouse"))
                        .getDocumentElement()
                        .getTextContent())
                .containsSubsequence("lateness-p50", "0.250×", "wf1@1000-server-cpu", "10×");
    }

    @Test
    void jsonIsOneListOfObjects() {
        List<?> list = JsonMapper.shared().readValue(JsonFile.text(results), List.class);
        assertThat(list).hasSize(5);
        assertThat(list.get(0))
                .isEqualTo(Map.of(
                        "scenario",
                        "wf1@1000",
                        "system",
                        "dormouse",
                        "unit",
                        "per second",
                        "median",
                        10_000.0,
                        "min",
                        9_000.0,
                        "max",
                        11_000.0,
                        "runs",
                        2));
    }

    @Test
    void pictureIsWellFormedAndShowsWhatCanBeCompared() throws Exception {
        add(1, "dbos", "<odd> & \"names\"", Unit.MILLIS, 1);
        add(1, "dormouse", "<odd> & \"names\"", Unit.MILLIS, 3_000);
        Document picture = parse(RatioChart.text(results, "dormouse"));
        assertThat(picture.getElementsByTagName("circle").getLength()).isEqualTo(3);
        assertThat(picture.getDocumentElement().getTextContent())
                .contains("wf1@1000", "10×", "0.250×", "<odd> & \"names\"", "prefers-color-scheme: dark");
    }

    @Test
    void pictureOfNothingIsWellFormed() throws Exception {
        assertThat(parse(RatioChart.text(new BenchResults(), "dormouse"))
                        .getElementsByTagName("circle")
                        .getLength())
                .isZero();
    }

    private static Document parse(String xml) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(xml)));
    }

    @Test
    void numbersHaveThreeSignificantDigits() {
        assertThat(List.of(12_345.6, 123.4, 12.34, 1.234, 0.1234, 0.01234, 3.0, -2.5, 0.0))
                .extracting(FigureFormat::text)
                .containsExactly("12,346", "123", "12.3", "1.23", "0.123", "0.0123", "3", "-2.50", "0");
    }
}
