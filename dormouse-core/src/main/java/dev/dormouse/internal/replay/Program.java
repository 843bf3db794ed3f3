package dev.dormouse.internal.replay;

import dev.dormouse.codec.Payload;
import java.util.concurrent.Callable;

/** A workflow program. Called on the run's first coroutine. */
@FunctionalInterface
public interface Program {

    /** Prepares the handlers of mail and queries. Returns the main code, from its first line to its result. */
    Callable<Payload> prepare(Replay run) throws Exception;
}
