package dev.dormouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Validates responses against the document, and records which operations it has seen. */
public final class OpenApiChecker {
    private final JsonNode document;
    private final Set<String> good = new HashSet<>();
    private final Set<String> bad = new HashSet<>();

    public OpenApiChecker(String document) {
        this.document = new JsonMapper().readTree(document);
    }

    /**
     * Fails if a response does not match the document.
     *
     * @param path below the API's base, with or without parameters
     */
    public void check(String method, String path, int status, JsonNode answer) {
        String pattern = pattern(path.replaceAll("\\?.*", ""), method);
        if (pattern.isEmpty()) {
            assertThat(status).isBetween(400, 499);
            return;
        }
        (status < 400 ? good : bad).add(method + " " + pattern);
        JsonNode responses = document.get("paths")
                .get(pattern)
                .get(method.toLowerCase(Locale.ROOT))
                .get("responses");
        JsonNode response = responses.get(status < 400 ? String.valueOf(status) : "default");
        assertThat(response)
                .as(method + " " + pattern + " answers with " + status)
                .isNotNull();
        List<String> problems = new ArrayList<>();
        compare("$", answer, response.at("/content/application~1json/schema"), problems);
        assertThat(problems).as(method + " " + path + " " + answer).isEmpty();
    }

    /** Returns the operations without a successful response or without a refusal. */
    public Set<String> missing() {
        Set<String> missing = new TreeSet<>();
        document.get("paths")
                .propertyStream()
                .forEach(path -> path.getValue().propertyNames().forEach(method -> {
                    String operation = method.toUpperCase(Locale.ROOT) + " " + path.getKey();
                    if (!good.contains(operation)) {
                        missing.add(operation + " well");
                    }
                    if (!bad.contains(operation)) {
                        missing.add(operation + " badly");
                    }
                }));
        return missing;
    }

    private String pattern(String path, String method) {
        String best = "";
        for (String pattern : document.get("paths").propertyNames()) {
            boolean fits = path.matches(pattern.replaceAll("\\{\\w+}", "[^/]+"))
                    && document.get("paths").get(pattern).has(method.toLowerCase(Locale.ROOT));
            boolean isBetter = best.isEmpty() || best.split("\\{").length > pattern.split("\\{").length;
            best = fits && isBetter ? pattern : best;
        }
        return best;
    }

    private void compare(String place, JsonNode value, JsonNode schema, List<String> problems) {
        if (schema.has("$ref")) {
            String name = schema.get("$ref").asString().substring(OpenApiSchemas.REF.length());
            compare(place, value, document.at("/components/schemas/" + name), problems);
        } else if (schema.has("anyOf")) {
            boolean fits = schema.get("anyOf").valueStream().anyMatch(one -> {
                List<String> ofOne = new ArrayList<>();
                compare(place, value, one, ofOne);
                return ofOne.isEmpty();
            });
            if (!fits) {
                problems.add(place + " is none of " + schema);
            }
        } else if (schema.has("type")) {
            typed(place, value, schema, problems);
        }
    }

    private void typed(String place, JsonNode value, JsonNode schema, List<String> problems) {
        boolean fits = switch (schema.get("type").asString()) {
            case "string" -> value.isString() && isOfFormat(value.asString(), schema);
            case "integer" -> value.isIntegralNumber();
            case "number" -> value.isNumber();
            case "boolean" -> value.isBoolean();
            case "array" -> value.isArray();
            case "null" -> value.isNull();
            default -> value.isObject();
        };
        if (!fits) {
            problems.add(place + " is " + value + " and not " + schema);
        } else if (value.isArray() && schema.has("items")) {
            value.forEach(item -> compare(place + "[]", item, schema.get("items"), problems));
        } else if (value.isObject()) {
            object(place, value, schema, problems);
        }
    }

    private void object(String place, JsonNode value, JsonNode schema, List<String> problems) {
        schema.path("required").forEach(name -> {
            if (!value.has(name.asString())) {
                problems.add(place + "." + name.asString() + " is missing");
            }
        });
        value.propertyStream().forEach(field -> {
            JsonNode known = schema.path("properties").path(field.getKey());
            if (!known.isMissingNode()) {
                compare(place + "." + field.getKey(), field.getValue(), known, problems);
            } else if (schema.path("additionalProperties").isBoolean()) {
                problems.add(place + "." + field.getKey() + " is not described");
            } else if (schema.has("additionalProperties")) {
                compare(place + "." + field.getKey(), field.getValue(), schema.get("additionalProperties"), problems);
            }
        });
    }

    private static boolean isOfFormat(String text, JsonNode schema) {
        try {
            switch (schema.path("format").asString("")) {
                case "date-time" -> Instant.parse(text);
                case "duration" -> Duration.parse(text);
                default -> {}
            }
        } catch (DateTimeException malformed) {
            return false;
        }
        return !schema.has("enum")
                || schema.get("enum")
                        .valueStream()
                        .anyMatch(one -> one.asString().equals(text));
    }
}
