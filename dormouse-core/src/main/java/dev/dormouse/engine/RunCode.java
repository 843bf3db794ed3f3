package dev.dormouse.engine;

/** The code of a workflow type. */
public interface RunCode {

    /**
     * Executes a run on the calling thread: replays what is recorded and goes on from there, until the run is closed or
     * {@link Evicted}. Throws {@link CodeMismatch} when the code does not match what is recorded.
     */
    void execute(Session session);
}
