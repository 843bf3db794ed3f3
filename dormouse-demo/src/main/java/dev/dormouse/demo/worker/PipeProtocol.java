package dev.dormouse.demo.worker;

import dev.dormouse.demo.order.StoreInventory;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;

/**
 * The protocol between a worker and its parent: lines in the pipes between them, each with a word and a JSON value. A
 * pipe needs no port, and ends with the process at its other end.
 */
public final class PipeProtocol {
    public enum Word {
        /** From the worker: it is ready, with its {@link StoreInventory}. */
        READY,
        /** From the worker: the URL of its dashboard. */
        DASHBOARD,
        /** From the worker: a {@link WorkerReport}. */
        REPORT,
        /** From the worker: a sentence for people. */
        SAY,
        /** From the worker: the reason why it cannot continue. */
        GIVE_UP,
        /** To the worker, with the number of an order. */
        START,
        APPROVE,
        FORWARD,
        /** To the worker: stop gracefully. */
        STOP
    }

    /** A line. */
    public record Message(Word word, String json) {
        public <T> T as(Class<T> type) {
            return JSON.readValue(json, type);
        }
    }

    private static final JsonMapper JSON = JsonMapper.shared();

    private PipeProtocol() {}

    /** Writes a line to the parent. Thread-safe. */
    public static void say(Word word, Object value) {
        String line = line(word, value);
        synchronized (System.out) {
            System.out.println(line);
        }
    }

    public static String line(Word word, Object value) {
        return word + " " + json(value);
    }

    public static String json(Object value) {
        return JSON.writeValueAsString(value);
    }

    static <T> T value(String json, Class<T> type) {
        return JSON.readValue(json, type);
    }

    /** Parses a line. Returns empty for lines printed by libraries. */
    public static Optional<Message> read(String line) {
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
