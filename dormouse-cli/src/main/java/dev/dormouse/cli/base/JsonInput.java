package dev.dormouse.cli.base;

import dev.dormouse.cli.api.ApiJson;
import dev.dormouse.cli.process.CommandFailed;
import dev.dormouse.cli.process.Environment;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** JSON arguments: typed JSON, {@code @FILE} for a file, or {@code @-} for standard input. */
public final class JsonInput {
    private JsonInput() {}

    public static ArrayNode all(List<String> typed, String what, Environment environment) {
        ArrayNode array = ApiJson.array();
        typed.forEach(text -> array.add(one(text, what, environment)));
        return array;
    }

    public static JsonNode one(String typed, String what, Environment environment) {
        return ApiJson.parse(typed.startsWith("@") ? read(typed.substring(1), environment) : typed, what);
    }

    /** Reads a value and sets it in a request body, unless {@code typed} is null. */
    public static void put(ObjectNode body, String field, @Nullable String typed, Environment environment) {
        if (typed != null) {
            body.set(field, one(typed, field, environment));
        }
    }

    /** Returns the text of a file, or of standard input for {@code -}. */
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
