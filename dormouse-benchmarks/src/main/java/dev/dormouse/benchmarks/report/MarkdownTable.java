package dev.dormouse.benchmarks.report;

import dev.dormouse.benchmarks.measure.BenchResults;
import dev.dormouse.benchmarks.measure.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Markdown tables: for each figure and system the median with the smallest and the largest round, and how many times
 * better the reference system is than each other, round by round.
 */
public final class MarkdownTable {
    private final BenchResults results;
    private final String ours;

    public MarkdownTable(BenchResults results, String ours) {
        this.results = results;
        this.ours = ours;
    }

    /** Returns one table with rates and times, and one with the figures per operation, as far as there are any. */
    public String text() {
        return Stream.of(false, true)
                .map(perOperation -> results.scenarios().stream()
                        .filter(scenario -> results.unit(scenario).isPerOperation() == perOperation)
                        .toList())
                .filter(scenarios -> !scenarios.isEmpty())
                .map(this::table)
                .collect(Collectors.joining(System.lineSeparator().repeat(2)));
    }

    private String table(List<String> scenarios) {
        List<String> systems = new ArrayList<>(results.systems());
        List<String> lines = new ArrayList<>();
        lines.add(row(head(systems)));
        lines.add(row(head(systems).stream().map(cell -> "---").toList()));
        for (String scenario : scenarios) {
            lines.add(row(cells(scenario, systems)));
        }
        return String.join(System.lineSeparator(), lines);
    }

    private static List<String> head(List<String> systems) {
        List<String> head = new ArrayList<>(List.of("scenario", "unit"));
        head.addAll(systems);
        return head;
    }

    private List<String> cells(String scenario, List<String> systems) {
        List<String> cells =
                new ArrayList<>(List.of(scenario, results.unit(scenario).text()));
        for (String system : systems) {
            cells.add(results.cell(scenario, system)
                    .map(spread -> cell(spread) + comparison(scenario, system))
                    .orElse(""));
        }
        return cells;
    }

    private String comparison(String scenario, String system) {
        Optional<Spread> advantage = system.equals(ours) ? Optional.empty() : results.advantage(scenario, ours, system);
        return advantage.map(ratio -> " → " + cell(ratio, "×")).orElse("");
    }

    private static String cell(Spread spread) {
        return cell(spread, "");
    }

    private static String cell(Spread spread, String suffix) {
        String median = FigureFormat.text(spread.median()) + suffix;
        return spread.runs() == 1
                ? median
                : median + " (" + FigureFormat.text(spread.min()) + "–" + FigureFormat.text(spread.max()) + ")";
    }

    private static String row(List<String> cells) {
        return cells.stream().collect(Collectors.joining(" | ", "| ", " |"));
    }
}
