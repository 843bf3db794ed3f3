package dev.dormouse.internal.replay;

import dev.dormouse.codec.Payload;
import dev.dormouse.store.run.InboxMessage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The error that unwinds the code of a run that continues as new. */
final class ContinuedAsNew extends Error {
    private static final long serialVersionUID = 1L;

    private final transient @Nullable String type;
    private final transient List<Payload> input;
    private final transient List<InboxMessage> unread;

    ContinuedAsNew(@Nullable String type, List<Payload> input, List<InboxMessage> unread) {
        super("The workflow continues as a new run; do not catch this", null, false, false);
        this.type = type;
        this.input = input;
        this.unread = unread;
    }

    /** Returns the workflow type of the next run; null for that of this run. */
    @Nullable
    String type() {
        return type;
    }

    List<InboxMessage> unread() {
        return unread;
    }

    List<Payload> input() {
        return input;
    }
}
