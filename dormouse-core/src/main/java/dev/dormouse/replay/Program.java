package dev.dormouse.replay;

import dev.dormouse.codec.Payload;
import java.util.concurrent.Callable;

/** A workflow. Called on the run's own coroutine. */
@FunctionalInterface
public interface Program {

    /** Makes ready what handles mail and queries, and returns what the workflow does, from its first line to its result. */
    Callable<Payload> prepare(Replay run) throws Exception;
}
