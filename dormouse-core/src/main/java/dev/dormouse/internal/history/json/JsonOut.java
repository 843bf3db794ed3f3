package dev.dormouse.internal.history.json;

import dev.dormouse.codec.Payload;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.Message;
import dev.dormouse.store.run.InboxMessage;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A JSON writer for events and the values in them, by their record components. Null components are left out. Events and
 * messages have a field {@code kind} with the name of their record.
 */
final class JsonOut {
    static final String KIND = "kind";
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private JsonOut() {}

    static JsonNode value(Object value) {
        if (value instanceof Payload payload) {
            return PayloadJson.write(payload);
        } else if (value instanceof InboxMessage mail) {
            return MailJson.write(mail);
        } else if (value instanceof List<?> list) {
            ArrayNode array = NODES.arrayNode();
            list.forEach(item -> array.add(value(item)));
            return array;
        } else if (value instanceof Map<?, ?> map) {
            ObjectNode object = NODES.objectNode();
            map.forEach((key, item) -> object.set(key.toString(), value(item)));
            return object;
        } else if (value instanceof Record record) {
            return object(record);
        } else if (value instanceof Integer || value instanceof Long) {
            return NODES.numberNode(((Number) value).longValue());
        } else if (value instanceof Boolean flag) {
            return NODES.booleanNode(flag);
        }
        return NODES.stringNode(value.toString());
    }

    private static ObjectNode object(Record record) {
        ObjectNode object = NODES.objectNode();
        if (record instanceof Event || record instanceof Message) {
            object.put(KIND, record.getClass().getSimpleName());
        }
        for (RecordComponent component : record.getClass().getRecordComponents()) {
            Object value = get(record, component);
            if (value != null) {
                object.set(component.getName(), value(value));
            }
        }
        return object;
    }

    @SuppressWarnings("NullAway") // an accessor may return null
    private static Object get(Record record, RecordComponent component) {
        try {
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException hidden) {
            throw new IllegalStateException("Expected to read " + component + ", but it is not accessible.", hidden);
        }
    }
}
