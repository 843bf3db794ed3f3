package dev.dormouse.internal.engine.command;

import dev.dormouse.internal.run.EngineSettings;
import dev.dormouse.store.run.OutboxFence;
import dev.dormouse.store.run.OutboxPage;
import java.time.Duration;

/** The fences of commands that were read from an outbox. */
public final class OutboxFences {
    /**
     * The longest time between reading an item and carrying it out. The fence expires earlier if closed runs are kept
     * for less.
     */
    private static final Duration LONGEST_VALIDITY = Duration.ofMinutes(1);

    private OutboxFences() {}

    /**
     * Returns the fence for the commands of a page. The fence expires before the runs that the commands concern can be
     * purged.
     */
    public static OutboxFence of(OutboxPage page, EngineSettings settings) {
        Duration kept = settings.retention().orElse(LONGEST_VALIDITY);
        Duration validity = kept.compareTo(LONGEST_VALIDITY) < 0 ? kept : LONGEST_VALIDITY;
        return new OutboxFence(page.epoch(), page.now().plus(validity));
    }
}
