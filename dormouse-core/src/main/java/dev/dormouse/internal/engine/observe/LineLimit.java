package dev.dormouse.internal.engine.observe;

import dev.dormouse.internal.thread.Threads;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a failure that hits many runs or timers at once from flooding the log: so many lines a minute about the same topic.
 * The next line after that says how many were left out. Thread-safe.
 */
public final class LineLimit {
    private static final long WINDOW = Duration.ofMinutes(1).toNanos();

    /** Topics have names of users in them, so their number is bounded; those beyond share one. */
    private static final int MOST_TOPICS = 1_000;

    private final Threads threads;
    private final int most;
    private final Map<String, Topic> topics = new HashMap<>();

    private static final class Topic {
        private long began;
        private int lines;
        private int leftOut;
    }

    /** @param most lines a minute about one topic */
    public LineLimit(Threads threads, int most) {
        this.threads = threads;
        this.most = most;
    }

    /** Returns null if too many lines are about this topic; otherwise what else the line has to say, often nothing. */
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
