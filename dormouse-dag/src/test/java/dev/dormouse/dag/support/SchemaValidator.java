package dev.dormouse.dag.support;

import dev.dormouse.dag.Dag;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The part of JSON Schema that dag.schema.json uses. An unknown keyword is an error of the test. */
public final class SchemaValidator {
    /** Reads strictly: no duplicate names, nothing after the end, exact numbers. */
    public static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private static final Set<String> WORDS_ONLY =
            Set.of("$schema", "title", "description", "default", "examples", "$defs");
    private static final Optional<String> FINE = Optional.empty();

    private final JsonNode root;

    private SchemaValidator(JsonNode root) {
        this.root = root;
    }

    /** Returns the published schema. */
    public static SchemaValidator published() {
        return new SchemaValidator(JSON.readTree(Dag.jsonSchema()));
    }

    /** Returns the first violation, if any. */
    public Optional<String> mistake(String json) {
        return mistake(JSON.readTree(json));
    }

    public Optional<String> mistake(JsonNode value) {
        return check("$", root, value);
    }

    private Optional<String> check(String at, JsonNode schema, JsonNode value) {
        for (Map.Entry<String, JsonNode> keyword : schema.properties()) {
            Optional<String> mistake = keyword(at, schema, keyword.getKey(), keyword.getValue(), value);
            if (mistake.isPresent()) {
                return mistake;
            }
        }
        return FINE;
    }

    private Optional<String> keyword(String at, JsonNode schema, String keyword, JsonNode wanted, JsonNode value) {
        return switch (keyword) {
            case "$ref" -> check(at, root.at(wanted.asString().substring(1)), value);
            case "type" -> demand(is(wanted.asString(), value), at, "is no " + wanted.asString());
            case "oneOf" -> oneOf(at, wanted, value);
            case "required", "additionalProperties", "properties", "minProperties", "maxProperties" ->
                value.isObject() ? object(at, schema, keyword, wanted, value) : FINE;
            case "items", "minItems", "maxItems" -> value.isArray() ? array(at, keyword, wanted, value) : FINE;
            case "pattern", "minLength", "maxLength" -> value.isString() ? text(at, keyword, wanted, value) : FINE;
            case "minimum", "maximum" -> value.isNumber() ? number(at, keyword, wanted, value) : FINE;
            default -> {
                if (WORDS_ONLY.contains(keyword)) {
                    yield FINE;
                }
                throw new IllegalStateException("The schema has a keyword that this does not know: " + keyword);
            }
        };
    }

    private static Optional<String> demand(boolean fine, String at, String mistake) {
        return fine ? FINE : Optional.of(at + " " + mistake);
    }

    private static boolean is(String type, JsonNode value) {
        return switch (type) {
            case "object" -> value.isObject();
            case "array" -> value.isArray();
            case "string" -> value.isString();
            case "boolean" -> value.isBoolean();
            case "number" -> value.isNumber();
            case "integer" ->
                value.isNumber() && value.decimalValue().stripTrailingZeros().scale() <= 0;
            default -> throw new IllegalStateException("The schema has a type that this does not know: " + type);
        };
    }

    private Optional<String> oneOf(String at, JsonNode schemas, JsonNode value) {
        int fits = 0;
        for (JsonNode schema : schemas) {
            fits += check(at, schema, value).isEmpty() ? 1 : 0;
        }
        return demand(fits == 1, at, "fits " + fits + " of " + schemas.size() + " forms");
    }

    private Optional<String> object(String at, JsonNode schema, String keyword, JsonNode wanted, JsonNode value) {
        return switch (keyword) {
            case "required" ->
                wanted.valueStream()
                        .filter(name -> !value.has(name.asString()))
                        .findFirst()
                        .map(name -> at + " has no " + name.asString());
            case "additionalProperties" ->
                value.propertyNames().stream()
                        .filter(name -> !schema.path("properties").has(name))
                        .findFirst()
                        .map(name -> at + " has " + name);
            case "properties" ->
                wanted.properties().stream()
                        .filter(property -> value.has(property.getKey()))
                        .map(property ->
                                check(at + "." + property.getKey(), property.getValue(), value.get(property.getKey())))
                        .flatMap(Optional::stream)
                        .findFirst();
            case "minProperties" -> demand(value.size() >= wanted.asInt(), at, "has few properties");
            default -> demand(value.size() <= wanted.asInt(), at, "has many properties");
        };
    }

    private Optional<String> array(String at, String keyword, JsonNode wanted, JsonNode value) {
        if (keyword.equals("minItems")) {
            return demand(value.size() >= wanted.asInt(), at, "has few items");
        }
        if (keyword.equals("maxItems")) {
            return demand(value.size() <= wanted.asInt(), at, "has many items");
        }
        for (int i = 0; i < value.size(); i++) {
            Optional<String> mistake = check(at + "[" + i + "]", wanted, value.get(i));
            if (mistake.isPresent()) {
                return mistake;
            }
        }
        return FINE;
    }

    private static Optional<String> text(String at, String keyword, JsonNode wanted, JsonNode value) {
        String text = value.asString();
        int length = text.codePointCount(0, text.length());
        return switch (keyword) {
            case "pattern" -> demand(pattern(wanted.asString()).matcher(text).find(), at, "does not match " + wanted);
            case "minLength" -> demand(length >= wanted.asInt(), at, "is short");
            default -> demand(length <= wanted.asInt(), at, "is long");
        };
    }

    /** In Java, a dollar sign also matches before a final line break. */
    private static Pattern pattern(String text) {
        return Pattern.compile(text.replaceAll("\\$$", "\\\\z"));
    }

    private static Optional<String> number(String at, String keyword, JsonNode wanted, JsonNode value) {
        BigDecimal number = value.decimalValue();
        int compared = number.compareTo(wanted.decimalValue());
        return demand(keyword.equals("minimum") ? compared >= 0 : compared <= 0, at, "is out of range");
    }
}
