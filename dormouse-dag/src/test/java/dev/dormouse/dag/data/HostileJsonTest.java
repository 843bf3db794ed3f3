package dev.dormouse.dag.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.dag.Dag;
import dev.dormouse.dag.support.RefusalAssertions;
import dev.dormouse.error.ErrorCode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Texts that are not JSON, or not strict JSON. */
class HostileJsonTest {
    private static final String STEP = "{\"id\":\"a\",\"task\":\"x\"}";
    private static final String DAG = "{\"name\":\"d\",\"steps\":[" + STEP + "]}";

    private static void refused(String json) {
        String message = RefusalAssertions.refused(ErrorCode.BAD_DAG, () -> Dag.fromJson(json))
                .getMessage();
        assertThat(message).hasSizeLessThan(5_000);
    }

    private static String withInput(String value) {
        return "{\"name\":\"d\",\"steps\":[{\"id\":\"a\",\"task\":\"x\",\"input\":" + value + "}]}";
    }

    @Test
    void nullIsRefused() {
        RefusalAssertions.refused(ErrorCode.BAD_DAG, () -> Dag.fromJson(null));
    }

    @Test
    void jsonThatIsNotAnObjectIsRefused() {
        for (String json : List.of(
                "",
                " ",
                "\n",
                "\u0000",
                "\ufeff",
                "x",
                "null",
                "true",
                "1",
                "\"\"",
                "\"" + "x".repeat(100_000) + "\"",
                "[]",
                "[" + DAG + "]",
                "{",
                "}",
                "{]",
                "{\"",
                "{\"name\"",
                "{\"name\":",
                "NaN",
                "Infinity",
                "undefined",
                "<xml/>",
                "\ud83d",
                DAG.substring(1),
                DAG.substring(0, DAG.length() - 1))) {
            refused(json);
        }
    }

    @Test
    void trailingTextIsRefused() {
        for (String more : List.of("x", "{}", DAG, "null", "]", "}", "\u0000", ",", "// end")) {
            refused(DAG + more);
        }
        assertThat(Dag.fromJson(" \r\n\t" + DAG + " \r\n\t")).isEqualTo(Dag.fromJson(DAG));
    }

    @Test
    void nonStrictJsonIsRefused() {
        refused("/* hi */" + DAG);
        refused("// hi\n" + DAG);
        refused("# hi\n" + DAG);
        refused(DAG.replace('"', '\''));
        refused("{name:\"d\",\"steps\":[" + STEP + "]}");
        refused("{\"name\":\"d\",\"steps\":[" + STEP + ",]}");
        refused("{\"name\":\"d\",\"steps\":[" + STEP + "],}");
        refused("{\"name\":\"d\",\"steps\":[," + STEP + "]}");
        refused("{\"name\":\"d\\x\",\"steps\":[" + STEP + "]}");
        refused("{\"name\":\"d\n\",\"steps\":[" + STEP + "]}");
        for (String value :
                List.of("NaN", "Infinity", "-Infinity", "+1", "01", "0x1", ".5", "5.", "1e", "--1", "'x'")) {
            refused(withInput(value));
        }
    }

    @Test
    void duplicateFieldsAreRefused() {
        refused("{\"name\":\"d\",\"name\":\"e\",\"steps\":[" + STEP + "]}");
        refused("{\"name\":\"d\",\"steps\":[{\"id\":\"a\",\"task\":\"x\",\"id\":\"b\"}]}");
        refused("{\"name\":\"d\",\"steps\":[{\"id\":\"a\",\"task\":\"x\",\"\\u0069d\":\"b\"}]}");
        refused(withInput("{\"k\":1,\"k\":1}"));
    }

    @Test
    void thousandsOfMistakesMakeAShortSentence() {
        StringBuilder json = new StringBuilder("{\"name\":\"d\",\"steps\":[");
        for (int i = 0; i < 9_000; i++) {
            json.append(i == 0 ? "" : ",")
                    .append("{\"id\":\"a")
                    .append(i)
                    .append("\",\"task\":\"x\",\"after\":[\"z\"]}");
        }
        refused(json.append("]}").toString());
    }

    @Test
    void byteOrderMarkAtTheBeginningIsReadOrRefused() {
        RefusalAssertions.succeedsOrIsRefused("BOM", () -> Dag.fromJson("\ufeff" + DAG));
    }

    @Test
    void escapesMeanWhatTheyMeanInJson() {
        String json = "{\"\\u006eame\":\"d\",\"steps\":[{\"id\":\"\\u0061\",\"task\":\"x\"}]}";
        assertThat(Dag.fromJson(json)).isEqualTo(Dag.fromJson(DAG));
    }

    @Test
    void dagWithALongNameCanBeReadBack() {
        for (Object data : List.of(Map.of("k".repeat(60_000), 1), "x".repeat(21_000_000))) {
            RefusalAssertions.succeedsOrIsRefused("long", () -> {
                Dag dag = Dag.workflow("d").task("a", "x").input(data).build();
                assertThat(Dag.fromJson(dag.toJson()).equals(dag)).isTrue();
            });
        }
    }
}
