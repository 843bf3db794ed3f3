package dev.dormouse.observability;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the metric names of the Grafana dashboard and the alert rules with those that the sources register. */
class GrafanaFilesTest {
    private static final Path SOURCES = Path.of("src/main/java/dev/dormouse/observability");
    private static final Pattern BUILDER = Pattern.compile("(\\w+)\\.builder\\(\\s*\"(dormouse\\.[a-z.]+)\"");
    private static final Pattern CLUSTER_GAUGE = Pattern.compile("(gauge)\\(\\s*registry,\\s*\"(dormouse\\.[a-z.]+)\"");
    private static final Pattern USED = Pattern.compile("dormouse_[a-z_]+");

    /** The suffixes of Micrometer's Prometheus registry. */
    private static final Map<String, List<String>> SUFFIXES = Map.of(
            "Counter", List.of("_total"),
            "DistributionSummary", List.of("_count", "_sum", "_max"),
            "Gauge", List.of(""),
            "gauge", List.of(""),
            "MultiGauge", List.of(""),
            "TimeGauge", List.of("_seconds"),
            "Timer", List.of("_seconds_count", "_seconds_sum", "_seconds_max", "_seconds_bucket"));

    @ParameterizedTest
    @ValueSource(strings = {"dormouse.json", "alerts.yml"})
    void everyUsedMetricExists(String file) throws IOException {
        assertThat(used(file)).hasSizeGreaterThan(5).isSubsetOf(registered());
    }

    @Test
    void sourcesRegisterAllMetricsOfTheGuide() throws IOException {
        assertThat(registered())
                .hasSizeGreaterThan(25)
                .contains("dormouse_runs_started_total", "dormouse_clock_skew_seconds", "dormouse_queue_depth");
    }

    private static Set<String> used(String file) throws IOException {
        return USED.matcher(Files.readString(Path.of("../docs/grafana").resolve(file)))
                .results()
                .map(MatchResult::group)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> registered() throws IOException {
        Set<String> names = new TreeSet<>();
        for (String source : List.of("MicrometerMetrics.java", "ClusterGauges.java")) {
            String code = Files.readString(SOURCES.resolve(source));
            for (Pattern pattern : List.of(BUILDER, CLUSTER_GAUGE)) {
                pattern.matcher(code)
                        .results()
                        .forEach(found -> SUFFIXES.get(found.group(1))
                                .forEach(suffix -> names.add(found.group(2).replace('.', '_') + suffix)));
            }
        }
        return names;
    }
}
