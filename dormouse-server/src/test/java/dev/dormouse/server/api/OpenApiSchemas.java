package dev.dormouse.server.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.dormouse.server.view.PageView;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Builds the schemas of responses from their records. */
final class OpenApiSchemas {
    private static final JsonMapper MAPPER = new JsonMapper();
    static final String REF = "#/components/schemas/";

    private final ObjectNode named;

    /**
     * Creates a builder.
     *
     * @param named receives the schemas of records
     */
    OpenApiSchemas(ObjectNode named) {
        this.named = named;
    }

    ObjectNode of(Type type) {
        if (type instanceof ParameterizedType generic) {
            return of((Class<?>) generic.getRawType(), generic.getActualTypeArguments());
        }
        Class<?> one = (Class<?>) type;
        if (one == String.class) {
            return typed("string");
        } else if (one == Instant.class) {
            return typed("string").put("format", "date-time");
        } else if (one == Duration.class) {
            return typed("string").put("format", "duration");
        } else if (one == UUID.class) {
            return typed("string").put("format", "uuid");
        } else if (one == int.class || one == long.class) {
            return typed("integer");
        } else if (one == Double.class) {
            return typed("number");
        } else if (one == boolean.class) {
            return typed("boolean");
        } else if (one.isEnum()) {
            ObjectNode schema = typed("string");
            ArrayNode values = schema.putArray("enum");
            Arrays.stream(one.getEnumConstants()).forEach(value -> values.add(value.toString()));
            return schema;
        } else if (one.isSealed()) {
            return choice(one.getPermittedSubclasses());
        }
        return one.isRecord() ? record(one) : MAPPER.createObjectNode();
    }

    private ObjectNode choice(Type... types) {
        ObjectNode schema = MAPPER.createObjectNode();
        ArrayNode all = schema.putArray("anyOf");
        Arrays.stream(types).forEach(type -> all.add(of(type)));
        return schema;
    }

    private static ObjectNode typed(String type) {
        return MAPPER.createObjectNode().put("type", type);
    }

    private ObjectNode of(Class<?> raw, Type[] arguments) {
        if (raw == Optional.class) {
            return orNull(of(arguments[0]));
        } else if (Collection.class.isAssignableFrom(raw)) {
            return typed("array").set("items", of(arguments[0])).asObject();
        } else if (Map.class.isAssignableFrom(raw)) {
            return typed("object").set("additionalProperties", of(arguments[1])).asObject();
        } else if (raw == PageView.class) {
            ObjectNode page = typed("object");
            ObjectNode properties = page.putObject("properties");
            properties
                    .putObject("items")
                    .put("type", "array")
                    .set("items", arguments.length == 1 ? of(arguments[0]) : choice(arguments));
            properties.set("next", orNull(typed("string")));
            page.putArray("required").add("items").add("next");
            return page.put("additionalProperties", false);
        }
        throw new IllegalArgumentException(raw + " has no schema");
    }

    private static ObjectNode orNull(ObjectNode schema) {
        ObjectNode either = MAPPER.createObjectNode();
        either.putArray("anyOf").add(schema).add(typed("null"));
        return either;
    }

    private ObjectNode record(Class<?> type) {
        Class<?> owner = type.getEnclosingClass();
        boolean isPartOfAnother = owner != null && (owner.isRecord() || owner.isInterface());
        String name = ((isPartOfAnother ? owner.getSimpleName() : "") + type.getSimpleName()).replace("View", "");
        if (!named.has(name)) {
            ObjectNode schema = named.putObject(name);
            schema.put("type", "object");
            schema.putObject("properties");
            schema.putArray("required");
            schema.put("additionalProperties", false);
            fields(type, schema);
        }
        return MAPPER.createObjectNode().put("$ref", REF + name);
    }

    private void fields(Class<?> type, ObjectNode schema) {
        for (RecordComponent component : type.getRecordComponents()) {
            if (component.getAccessor().isAnnotationPresent(JsonUnwrapped.class)) {
                fields(component.getType(), schema);
                continue;
            }
            AnnotatedType annotated = component.getAnnotatedType();
            boolean isNullable = annotated.isAnnotationPresent(Nullable.class);
            boolean isLeftOut = component.getAccessor().isAnnotationPresent(JsonInclude.class);
            ObjectNode field = of(component.getGenericType());
            schema.get("properties")
                    .asObject()
                    .set(component.getName(), isNullable && !isLeftOut ? orNull(field) : field);
            if (!isLeftOut) {
                schema.get("required").asArray().add(component.getName());
            }
        }
    }
}
