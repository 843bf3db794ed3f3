package dev.dormouse.internal.replay;

import dev.dormouse.codec.Payload;
import dev.dormouse.store.run.InboxMessage;
import java.util.List;

/** The error that unwinds the code of a run that continues as new. */
final class ContinuedAsNew extends Error {
    private static final long serialVersionUID = 1L;

    private final transient List<Payload> input;
    private final transient List<InboxMessage> unread;

    ContinuedAsNew(List<Payload> input, List<InboxMessage> unread) {
        super("The workflow continues as a new run; do not catch this", null, false, false);
        this.input = input;
        this.unread = unread;
    }

    List<InboxMessage> unread() {
        return unread;
    }

    List<Payload> input() {
        return input;
    }
}
