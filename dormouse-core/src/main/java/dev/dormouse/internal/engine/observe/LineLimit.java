package dev.dormouse.internal.engine.observe;

import dev.dormouse.internal.thread.Threads;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A limit of log lines per topic and minute, so that a failure of many runs or timers at once does not flood the log.
 * The first line after the limit was reached says how many were omitted. Thread-safe.
 */
public final class LineLimit {
    private static final long WINDOW = Duration.ofMinutes(1).toNanos();

    /** The maximum number of topics: topics contain names that users choose. Further topics share one limit. */
    private static final int MOST_TOPICS = 1_000;

    private final Threads threads;
    private final int most;
    private final Map<String, Topic> topics = new HashMap<>();

    private static final class Topic {
        private long began;
        private int lines;
        private int leftOut;
    }

    /** @param most the maximum number of lines a minute for one topic */
    public LineLimit(Threads threads, int most) {
        this.threads = threads;
        this.most = most;
    }

    /** Returns null if the limit for this topic is reached; otherwise a note to append to the line, often empty. */
    public synchronized @Nullable String permit(String name) {
        Topic topic = topics.size() < MOST_TOPICS
                ? topics.computeIfAbsent(name, key -> new Topic())
                : topics.getOrDefault(name, topics.computeIfAbsent("", key -> new Topic()));
        long now = threads.nanoTime();
        if (topic.lines == 0 || now - topic.began >= WINDOW) {
            topic.began = now;
            topic.lines = 0;
        } else if (topic.lines == most) {
            topic.leftOut++;
            return null;
        }
        topic.lines++;
        String before = topic.leftOut == 0 ? "" : " Before this, " + topic.leftOut + " such lines were left out.";
        topic.leftOut = 0;
        return before + (topic.lines == most ? " More such lines within the minute are left out." : "");
    }
}
