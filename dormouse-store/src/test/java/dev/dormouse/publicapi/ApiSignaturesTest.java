package dev.dormouse.publicapi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The declarations of everything that modules export, compared with {@code docs/api.txt}. So a change of the API is a diff
 * that a reviewer sees. {@code -Dapi.update} writes the file.
 */
class ApiSignaturesTest {
    private static final Path FILE = ApiSources.ROOT.resolve("docs/api.txt");

    @Test
    void apiIsTheOneOfTheFile() throws IOException {
        List<String> present = lines(ApiSources.comments());
        if (System.getProperty("api.update") != null) {
            Files.write(FILE, present);
        }
        Difference difference = Difference.between(Files.readAllLines(FILE), present);
        assertThat(difference.report()).isEmpty();
    }

    @Test
    void removedAndChangedDeclarationsAreFound() {
        List<String> before = List.of("a.B", "    int one()", "    int two()", "a.C", "    int one()");
        List<String> after =
                List.of("a.B", "    int one()", "    long two()", "a.C", "    int one()", "    int three()");
        assertThat(Difference.between(before, before).report()).isEmpty();
        assertThat(Difference.between(before, after).report())
                .contains("incompatible", "- a.B: int two()", "+ a.B: long two()", "+ a.C: int three()", "api.update");
        assertThat(Difference.between(before.subList(0, 3), before).report())
                .contains("+ a.C", "compatible")
                .doesNotContain("incompatible");
    }

    @Test
    void declarationIsOneLineWithoutItsBody() {
        assertThat(Declaration.of("""
                @SuppressWarnings("unchecked") // a reason
                public static <T extends @Nullable Object> T pause(
                        String name,
                        Duration delay)
                        throws IOException"""))
                .isEqualTo(
                        "public static <T extends @Nullable Object> T pause(String name, Duration delay) throws IOException");
        assertThat(Declaration.of("@Target({ElementType.TYPE})\npublic @interface Stop {\n String value(); }"))
                .isEqualTo("@Target({ElementType.TYPE}) public @interface Stop");
        assertThat(Declaration.of("public static final int MOST = ")).isEqualTo("public static final int MOST");
    }

    /** Returns a line for each type, followed by one for its declaration and one for each member, sorted. */
    private static List<String> lines(List<ApiComment> elements) {
        Map<String, TreeSet<String>> types = new TreeMap<>();
        elements.forEach(element ->
                types.computeIfAbsent(element.type(), any -> new TreeSet<>()).add(element.declaration()));
        List<String> lines = new ArrayList<>();
        types.forEach((type, declarations) -> {
            lines.add(type);
            declarations.forEach(declaration -> lines.add("    " + declaration));
        });
        return lines;
    }

    /** The declarations that only one of two versions of the API has. */
    private record Difference(List<String> removed, List<String> added) {
        static Difference between(List<String> before, List<String> after) {
            List<String> removed = new ArrayList<>(qualified(before));
            List<String> added = new ArrayList<>(qualified(after));
            removed.removeAll(qualified(after));
            added.removeAll(qualified(before));
            return new Difference(removed, added);
        }

        private static List<String> qualified(List<String> lines) {
            List<String> qualified = new ArrayList<>();
            String type = "";
            for (String line : lines) {
                type = line.startsWith(" ") ? type : line;
                qualified.add(line.startsWith(" ") ? type + ": " + line.strip() : line);
            }
            return qualified;
        }

        String report() {
            if (removed.isEmpty() && added.isEmpty()) {
                return "";
            }
            String kind = removed.isEmpty()
                    ? "The change is compatible, unless users implement an interface that got an abstract method."
                    : "A removed or changed declaration (-) is incompatible, unless it was only widened.";
            return String.join(
                    "\n",
                    Stream.of(
                                    Stream.of("The public API differs from docs/api.txt. " + kind),
                                    removed.stream().map(line -> "- " + line),
                                    added.stream().map(line -> "+ " + line),
                                    Stream.of("If it is meant, run: mvn test -pl dormouse-store "
                                            + "-Dtest=ApiSignaturesTest -Dapi.update"))
                            .flatMap(lines -> lines)
                            .toList());
        }
    }
}
