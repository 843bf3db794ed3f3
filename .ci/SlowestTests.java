import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Prints the 20 slowest test classes of a build, from the reports of surefire, and the line coverage if it was measured.
 * Runs without being compiled: {@code java .ci/SlowestTests.java DIRECTORY [SINCE]}. Reports older than the instant
 * {@code SINCE} belong to another build.
 */
public final class SlowestTests {
    private static final int SHOWN = 20;
    private static final Pattern SUITE = Pattern.compile("<testsuite [^>]*>");

    private record Suite(String module, String name, int tests, double seconds) {}

    private SlowestTests() {}

    public static void main(String[] arguments) throws IOException {
        Path root = Path.of(arguments[0]).toAbsolutePath().normalize();
        Instant since = arguments.length > 1 ? Instant.parse(arguments[1]) : Instant.EPOCH;
        List<Suite> suites = new ArrayList<>();
        for (Path report : reports(root, since)) {
            suites.add(read(root, report));
        }
        double sum = suites.stream().mapToDouble(Suite::seconds).sum();
        int tests = suites.stream().mapToInt(Suite::tests).sum();
        suites.sort(Comparator.comparingDouble(Suite::seconds).reversed());
        System.out.printf("The slowest of %d test classes (%d tests, %.0f s in all):%n", suites.size(), tests, sum);
        suites.stream()
                .limit(SHOWN)
                .forEach(suite -> System.out.printf(
                        "%8.1f s %5d tests  %s (%s)%n", suite.seconds, suite.tests, suite.name, suite.module));
        printCoverage(root.resolve("build-report/target/site/jacoco-aggregate/jacoco.csv"), since);
    }

    private static List<Path> reports(Path root, Instant since) throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                String name = directory.getFileName().toString();
                return name.equals("src") || name.equals(".git")
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                String name = file.getFileName().toString();
                if (file.getParent().endsWith("surefire-reports")
                        && name.startsWith("TEST-")
                        && name.endsWith(".xml")
                        && !attributes.lastModifiedTime().toInstant().isBefore(since)) {
                    found.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return found;
    }

    /** Returns the module of a report, such as {@code slow-tests/engine}. */
    private static String moduleOf(Path report) {
        int target = 0;
        while (!report.getName(target).endsWith("target")) {
            target++;
        }
        return report.subpath(0, target).toString();
    }

    private static Suite read(Path root, Path report) throws IOException {
        Matcher suite = SUITE.matcher(Files.readString(report));
        if (!suite.find()) {
            throw new IOException("Expected a report of surefire, but " + report + " has no <testsuite>.");
        }
        String tag = suite.group();
        return new Suite(
                moduleOf(root.relativize(report)),
                attribute(tag, "name"),
                Integer.parseInt(attribute(tag, "tests")),
                Double.parseDouble(attribute(tag, "time").replace(",", "")));
    }

    private static String attribute(String tag, String name) {
        Matcher value = Pattern.compile(" " + name + "=\"([^\"]*)\"").matcher(tag);
        return value.find() ? value.group(1) : "0";
    }

    /** The columns of JaCoCo's table: …, 7: LINE_MISSED, 8: LINE_COVERED, … */
    private static void printCoverage(Path table, Instant since) throws IOException {
        if (!Files.exists(table) || Files.getLastModifiedTime(table).toInstant().isBefore(since)) {
            return;
        }
        long missed = 0;
        long covered = 0;
        List<String> lines = Files.readAllLines(table);
        for (String line : lines.subList(1, lines.size())) {
            String[] columns = line.split(",");
            missed += Long.parseLong(columns[7]);
            covered += Long.parseLong(columns[8]);
        }
        System.out.printf(
                "Line coverage: %.1f %% (%d of %d lines)%n",
                100.0 * covered / Math.max(1, covered + missed), covered, covered + missed);
    }
}
