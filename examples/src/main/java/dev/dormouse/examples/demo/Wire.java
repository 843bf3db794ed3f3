package dev.dormouse.examples.demo;

import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;

/**
 * How a worker and its parent talk: lines in the pipes between them, a word and a value in JSON each. A pipe needs no port
 * and ends with whoever holds its other end.
 */
final class Wire {
    enum Word {
        /** From the worker: it is ready, and found this {@link Inventory}. */
        READY,
        /** From the worker: the URL of its dashboard. */
        DASHBOARD,
        /** From the worker: a {@link Report}. */
        REPORT,
        /** From the worker: a sentence for people. */
        SAY,
        /** From the worker: why it cannot go on. */
        GIVE_UP,
        /** To the worker, with the number of an order. */
        START,
        APPROVE,
        FORWARD,
        /** To the worker: end in good order. */
        STOP
    }

    /** A line. */
    record Message(Word word, String json) {
        <T> T as(Class<T> type) {
            return JSON.readValue(json, type);
        }
    }

    private static final JsonMapper JSON = JsonMapper.shared();

    private Wire() {}

    static String line(Word word, Object value) {
        return word + " " + json(value);
    }

    static String json(Object value) {
        return JSON.writeValueAsString(value);
    }

    static <T> T value(String json, Class<T> type) {
        return JSON.readValue(json, type);
    }

    /** Empty for whatever a library may print. */
    static Optional<Message> read(String line) {
        int space = line.indexOf(' ');
        if (space > 0) {
            for (Word word : Word.values()) {
                if (line.startsWith(word.name()) && word.name().length() == space) {
                    return Optional.of(new Message(word, line.substring(space + 1)));
                }
            }
        }
        return Optional.empty();
    }
}
