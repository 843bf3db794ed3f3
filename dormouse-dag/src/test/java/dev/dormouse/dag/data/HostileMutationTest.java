package dev.dormouse.dag.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.dag.Dag;
import dev.dormouse.dag.support.RandomDag;
import dev.dormouse.dag.support.SchemaValidator;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** JSON with a mistake is refused with a proper message; JSON that is accepted fits the schema. */
class HostileMutationTest {
    private static final SchemaValidator SCHEMA = SchemaValidator.published();
    private static final List<String> VALUES = List.of(
            "null",
            "true",
            "0",
            "1",
            "-1",
            "1.0",
            "1.5",
            "1e2",
            "2147483648",
            "1e400",
            "\"\"",
            "\" \"",
            "\"x\"",
            "[]",
            "{}",
            "[null]",
            "[[]]",
            "[\"s0\",\"s0\"]",
            "{\"x\":1}",
            "\"PT0S\"",
            "\"-PT1S\"",
            "\"PT1S\"",
            "\"P1D\"",
            "\"p1d\"",
            "\"P1Y\"",
            "\"PT9999999999999999S\"",
            "\"PT999999999999999999999S\"",
            "\"$\"",
            "\"$.input\"",
            "\"$.steps.nobody\"",
            "\"$.input[\"",
            "\"s0\"",
            "\"\\u0000\"",
            "\"\\ud800\"",
            "\"S0\\n\"",
            "{\"path\":\"$.input.a\"}",
            "{\"path\":\"$.input.a\",\"is\":null}",
            "{\"all\":[]}",
            "{\"for\":\"PT1S\",\"until\":\"$.input.a\"}",
            "{\"for\":\"PT1S\",\"zone\":\"UTC\"}",
            "{\"cron\":\"0 0 30 2 *\"}",
            "{\"cron\":\"* * * * *\",\"zone\":\"Mars/Olympus\"}");

    static LongStream hundreds() {
        return LongStream.range(0, 2);
    }

    @ParameterizedTest
    @MethodSource("hundreds")
    void mistakesAreRefusedWithASentence(long hundred) {
        Random random = new Random(hundred);
        for (long seed = 100 * hundred; seed < 100 * hundred + 100; seed++) {
            JsonNode tree = SchemaValidator.JSON.readTree(RandomDag.of(seed).toJson());
            for (int i = 0; i < 20; i++) {
                JsonNode mutant = tree.deepCopy();
                mutate(mutant, random);
                verify(seed, mutant);
            }
        }
    }

    private static void verify(long seed, JsonNode mutant) {
        String json = mutant.toString();
        Optional<String> mistake = SCHEMA.mistake(mutant);
        try {
            Dag dag = Dag.fromJson(json);
            assertThat(mistake).as("seed %d, %s", seed, json).isEmpty();
            assertThat(Dag.fromJson(dag.toJson())).as("seed %d, %s", seed, json).isEqualTo(dag);
        } catch (DormouseException refused) {
            assertThat(refused.code())
                    .as("seed %d, %s, %s", seed, refused, json)
                    .isEqualTo(ErrorCode.BAD_DAG);
            assertThat(refused.getMessage())
                    .as("seed %d, %s", seed, json)
                    .matches("(?s)\\[DM1023] .*Expected .+, but.+\\. \\P{Ll}.+\\.")
                    .containsPattern("'|\\$");
        }
    }

    private static void mutate(JsonNode tree, Random random) {
        List<JsonNode> inner = new ArrayList<>();
        collect(tree, inner);
        JsonNode place = inner.get(random.nextInt(inner.size()));
        if (place instanceof ObjectNode object && !object.isEmpty()) {
            List<String> names = List.copyOf(object.propertyNames());
            String name = names.get(random.nextInt(names.size()));
            switch (random.nextInt(5)) {
                case 0 -> object.remove(name);
                case 1 -> object.set(name + "x", object.remove(name));
                case 2 -> object.set("x" + random.nextInt(3), value(random));
                default -> object.set(name, value(random));
            }
        } else if (place instanceof ArrayNode array && !array.isEmpty()) {
            int at = random.nextInt(array.size());
            switch (random.nextInt(3)) {
                case 0 -> array.remove(at);
                case 1 -> array.add(array.get(at));
                default -> array.set(at, value(random));
            }
        }
    }

    private static JsonNode value(Random random) {
        return SchemaValidator.JSON.readTree(VALUES.get(random.nextInt(VALUES.size())));
    }

    private static void collect(JsonNode node, List<JsonNode> inner) {
        if (node.isContainer()) {
            inner.add(node);
            node.forEach(child -> collect(child, inner));
        }
    }
}
