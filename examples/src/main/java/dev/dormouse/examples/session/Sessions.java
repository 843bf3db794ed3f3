package dev.dormouse.examples.session;

import dev.dormouse.Dormouse;
import dev.dormouse.IdReuse;
import dev.dormouse.timer.TimerId;
import dev.dormouse.timer.TimerOptions;
import dev.dormouse.timer.Timers;
import java.time.Duration;
import java.util.function.Consumer;

/** Open sessions. Create one on every node: the timer of a session fires on any of them. */
public final class Sessions {
    private static final String HANDLER = "expire-session";

    private final Dormouse dormouse;
    private final Timers timers;
    private final Duration idle;

    /** @param expired is called with the name of a session that was idle for too long, at least once */
    public Sessions(Dormouse dormouse, Duration idle, Consumer<String> expired) {
        this.dormouse = dormouse;
        this.timers = dormouse.timers();
        this.idle = idle;
        timers.handle(HANDLER, String.class, expired::accept);
    }

    /** Opens a session. Returns the id of its timer, which belongs into the session's cookie. */
    public TimerId open(String session) {
        TimerOptions options = TimerOptions.DEFAULT.withId("session-" + session).withIdReuse(IdReuse.START_NEW);
        return timers.after(idle, HANDLER, options, session);
    }

    /** Notes a request. Returns false if the session has expired. */
    public boolean touch(TimerId session) {
        return timers.reschedule(session, dormouse.now().plus(idle));
    }

    /** Closes a session. Returns false if it has expired. */
    public boolean close(TimerId session) {
        return timers.cancel(session);
    }
}
