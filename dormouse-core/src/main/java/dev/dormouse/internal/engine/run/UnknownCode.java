package dev.dormouse.internal.engine.run;

import dev.dormouse.codec.Payload;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.run.CodeMismatch;
import dev.dormouse.internal.run.RunCode;
import dev.dormouse.internal.run.Session;
import dev.dormouse.store.run.RunRow;
import java.util.List;

/**
 * The stand-in for code that this node does not have although it serves the lane: nodes with another build may have
 * it.
 */
record UnknownCode(RunRow run) implements RunCode {

    @Override
    public void execute(Session session) {
        throw unknown();
    }

    @Override
    public Payload query(RunRow row, List<Event> history, String name, List<Payload> arguments) {
        throw unknown();
    }

    private CodeMismatch unknown() {
        return new CodeMismatch(
                ErrorCode.UNKNOWN_ACTIVITY,
                "Expected the code of '" + run.type() + "' for run " + run.runId()
                        + ", but this build does not have it. Deploy a build that has it.");
    }
}
