package dev.dormouse.benchmarks.report;

import dev.dormouse.benchmarks.measure.BenchResults;
import dev.dormouse.benchmarks.measure.Spread;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Figures as a JSON list of objects, one for each scenario and system. */
public final class JsonFile {
    private static final JsonMapper MAPPER =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private JsonFile() {}

    public static void write(Path file, BenchResults results) {
        try {
            Files.writeString(file, text(results) + System.lineSeparator());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String text(BenchResults results) {
        List<Entry> entries = new ArrayList<>();
        for (String scenario : results.scenarios()) {
            for (String system : results.systems()) {
                results.cell(scenario, system)
                        .ifPresent(spread -> entries.add(Entry.of(results, scenario, system, spread)));
            }
        }
        return MAPPER.writeValueAsString(entries);
    }

    private record Entry(String scenario, String system, String unit, double median, double min, double max, int runs) {
        static Entry of(BenchResults results, String scenario, String system, Spread spread) {
            return new Entry(
                    scenario,
                    system,
                    results.unit(scenario).text(),
                    spread.median(),
                    spread.min(),
                    spread.max(),
                    spread.runs());
        }
    }
}
