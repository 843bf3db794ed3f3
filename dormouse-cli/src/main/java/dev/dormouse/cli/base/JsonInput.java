package dev.dormouse.cli.base;

import dev.dormouse.cli.api.Json;
import dev.dormouse.cli.process.CommandFailed;
import dev.dormouse.cli.process.Environment;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** Values that are typed as JSON, or read from a file: {@code @FILE}, or {@code @-} for standard input. */
public final class JsonInput {
    private JsonInput() {}

    public static ArrayNode all(List<String> typed, String what, Environment environment) {
        ArrayNode array = Json.array();
        typed.forEach(text -> array.add(one(text, what, environment)));
        return array;
    }

    public static JsonNode one(String typed, String what, Environment environment) {
        return Json.parse(typed.startsWith("@") ? read(typed.substring(1), environment) : typed, what);
    }

    /** The text of a file, or of standard input. */
    public static String read(String name, Environment environment) {
        try {
            return name.equals("-")
                    ? new String(environment.in().readAllBytes(), StandardCharsets.UTF_8)
                    : Files.readString(Path.of(name));
        } catch (IOException | IllegalArgumentException e) {
            throw CommandFailed.usage(
                    "Expected to read the file '" + name + "', but that failed (" + e + "). Check its name.");
        }
    }
}
