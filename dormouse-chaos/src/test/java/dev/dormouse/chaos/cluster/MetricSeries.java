package dev.dormouse.chaos.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A series of measurements. Each one is printed, and all are written to a CSV file. */
public final class MetricSeries {
    private final Path file;
    private final List<Map<String, Double>> lines = new ArrayList<>();

    public MetricSeries(Path file) {
        this.file = file;
    }

    public void add(Map<String, Double> line) {
        lines.add(new LinkedHashMap<>(line));
        Measurements.report(
                "%s",
                line.entrySet().stream()
                        .map(entry -> entry.getKey() + " " + text(entry.getValue()))
                        .collect(Collectors.joining(", ")));
        write();
    }

    private void write() {
        List<String> csv = new ArrayList<>();
        csv.add(String.join(",", lines.get(0).keySet()));
        lines.forEach(
                line -> csv.add(line.values().stream().map(MetricSeries::text).collect(Collectors.joining(","))));
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.write(file, csv);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(Math.rint(value * 10) / 10);
    }

    /**
     * Asserts that the median of the last fifth is at most 25 % above that of the middle fifth, plus {@code slack}. A
     * slower leak needs a longer run to be seen.
     */
    public void assertFlat(String name, double slack) {
        double middle = median(name, 0.4, 0.6);
        double end = median(name, 0.8, 1.0);
        Measurements.report("%s: %s in the middle, %s at the end", name, text(middle), text(end));
        assertThat(end).as(name).isLessThanOrEqualTo(middle * 1.25 + slack);
    }

    private double median(String name, double from, double to) {
        List<Double> values = lines.subList((int) (lines.size() * from), (int) Math.ceil(lines.size() * to)).stream()
                .map(line -> line.get(name))
                .sorted()
                .toList();
        return values.get(values.size() / 2);
    }
}
