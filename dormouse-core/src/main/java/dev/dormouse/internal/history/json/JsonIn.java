package dev.dormouse.internal.history.json;

import dev.dormouse.codec.Payload;
import dev.dormouse.store.run.InboxMessage;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A reader for the output of {@link JsonOut}. Refuses unknown and missing fields. */
final class JsonIn {
    /** Fields that histories of earlier releases do not have, with the values that they stand for. */
    private static final Map<String, Object> ADDED = Map.of("StepFailed.attempts", 1, "RunFailed.attempts", 0);

    /** Names of kinds in histories of earlier releases, with their present names. */
    private static final Map<String, String> RENAMED = Map.of("RunCanceled", "RunCancelled");

    private JsonIn() {}

    static Object value(Place place, Type type) {
        if (type instanceof ParameterizedType generic) {
            Type[] arguments = generic.getActualTypeArguments();
            return generic.getRawType() == List.class ? list(place, arguments[0]) : map(place, arguments[1]);
        }
        Class<?> kind = (Class<?>) type;
        if (kind == Payload.class) {
            return PayloadJson.read(place);
        } else if (kind == InboxMessage.class) {
            return MailJson.read(place);
        } else if (kind.isSealed()) {
            return sealed(place, kind);
        }
        return kind.isRecord() ? record(place, kind, Set.of()) : scalar(place, kind);
    }

    private static Object scalar(Place place, Class<?> kind) {
        if (kind == int.class) {
            return (int) place.number(Integer.MAX_VALUE);
        } else if (kind == long.class) {
            return place.number(Long.MAX_VALUE);
        } else if (kind == boolean.class) {
            return place.flag();
        } else if (kind == Instant.class) {
            return place.parse("an instant", Instant::parse);
        } else if (kind == Duration.class) {
            return place.parse("a duration", Duration::parse);
        } else if (kind == UUID.class) {
            return place.parse("a UUID", JsonIn::uuid);
        } else if (kind.isEnum()) {
            return constant(place, kind);
        } else if (kind != String.class) {
            throw new IllegalStateException("Expected all types of events to be known here, but got " + kind + ".");
        }
        return place.text();
    }

    /** Parses a UUID strictly: {@link UUID#fromString} also accepts shortened forms. */
    private static UUID uuid(String text) {
        UUID uuid = UUID.fromString(text);
        if (!uuid.toString().equalsIgnoreCase(text)) {
            throw new IllegalArgumentException(text);
        }
        return uuid;
    }

    private static Object constant(Place place, Class<?> kind) {
        List<?> constants = Arrays.asList(kind.getEnumConstants());
        String name = place.text();
        return constants.stream()
                .filter(constant -> constant.toString().equals(name))
                .findFirst()
                .orElseThrow(() -> place.problem("one of " + constants, "found '" + name + "'"));
    }

    private static List<Object> list(Place place, Type type) {
        place.checkArray();
        List<Object> list = new ArrayList<>();
        for (int i = 0; i < place.node().size(); i++) {
            list.add(value(place.item(i), type));
        }
        return List.copyOf(list);
    }

    private static Map<String, Object> map(Place place, Type type) {
        place.checkFields(new HashSet<>(place.node().propertyNames()));
        Map<String, Object> map = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> entry : place.node().properties()) {
            map.put(entry.getKey(), value(place.field(entry.getKey()), type));
        }
        return map;
    }

    /** Reads a value of a sealed type; the field {@code kind} names the record. */
    static Object sealed(Place place, Class<?> general) {
        Place kind = place.field(JsonOut.KIND);
        String name = RENAMED.getOrDefault(kind.text(), kind.text());
        Class<?> special = Arrays.stream(general.getPermittedSubclasses())
                .filter(type -> type.getSimpleName().equals(name))
                .findFirst()
                .orElseThrow(() -> kind.problem(
                        "a kind of " + general.getSimpleName() + " that this version of Dormouse knows",
                        "found '" + name + "'"));
        return record(place, special, Set.of(JsonOut.KIND));
    }

    private static Object record(Place place, Class<?> type, Set<String> others) {
        RecordComponent[] components = type.getRecordComponents();
        Set<String> known =
                Arrays.stream(components).map(RecordComponent::getName).collect(Collectors.toSet());
        known.addAll(others);
        place.checkFields(known);
        @Nullable Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            values[i] = component(place, components[i]);
        }
        return make(place, type, components, values);
    }

    private static @Nullable Object component(Place place, RecordComponent component) {
        Object inEarlierReleases =
                ADDED.get(component.getDeclaringRecord().getSimpleName() + "." + component.getName());
        boolean mayBeMissing =
                inEarlierReleases != null || component.getAnnotatedType().isAnnotationPresent(Nullable.class);
        return mayBeMissing && !place.has(component.getName())
                ? inEarlierReleases
                : value(place.field(component.getName()), component.getGenericType());
    }

    private static Object make(Place place, Class<?> type, RecordComponent[] components, @Nullable Object[] values) {
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            return type.getDeclaredConstructor(types).newInstance(values);
        } catch (ReflectiveOperationException refused) {
            throw place.problem("a " + type.getSimpleName(), "its parts do not make one", refused);
        }
    }
}
