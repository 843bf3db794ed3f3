package dev.dormouse.replay;

import dev.dormouse.codec.Payload;

/** What a workflow does, from its first line to its result. Called on the run's own coroutine. */
@FunctionalInterface
public interface Program {
    Payload run(Replay run) throws Exception;
}
