package dev.dormouse.internal.replay;

import dev.dormouse.codec.Payload;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.Failure;
import dev.dormouse.internal.history.FailureTexts;
import dev.dormouse.internal.run.RunCode;
import dev.dormouse.internal.run.Session;
import dev.dormouse.internal.thread.Threads;
import dev.dormouse.store.run.RunRow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The code of a workflow type, executed by replaying its history. Immutable and thread-safe. */
public final class ReplayedCode implements RunCode {
    private final Program program;
    private final Threads threads;
    private final boolean takesMail;
    private final boolean batched;
    private final boolean recordsItsBeginning;
    private final FailureTexts texts;

    /**
     * Creates code that records its beginning and keeps failures as plain text.
     *
     * @param threads starts the threads of coroutines other than the first
     * @param takesMail true if mail may change what the code does while it waits for a step
     * @param batched true if results of steps may be committed a little later
     */
    public ReplayedCode(Program program, Threads threads, boolean takesMail, boolean batched) {
        this(program, threads, takesMail, batched, true, FailureTexts.PLAIN);
    }

    private ReplayedCode(
            Program program,
            Threads threads,
            boolean takesMail,
            boolean batched,
            boolean recordsItsBeginning,
            FailureTexts texts) {
        this.program = program;
        this.threads = threads;
        this.takesMail = takesMail;
        this.batched = batched;
        this.recordsItsBeginning = recordsItsBeginning;
        this.texts = texts;
    }

    /** Returns this code with another form of recorded exceptions. */
    public ReplayedCode keeping(FailureTexts newTexts) {
        return new ReplayedCode(program, threads, takesMail, batched, recordsItsBeginning, newTexts);
    }

    @Override
    public Failure keep(Throwable problem) {
        return texts.keep(problem);
    }

    /** Returns the code of a single step. Its run does not record when it began. */
    public static ReplayedCode ofStep(Program program, Threads threads) {
        return new ReplayedCode(program, threads, false, false, false, FailureTexts.PLAIN);
    }

    @Override
    public boolean recordsItsBeginning() {
        return recordsItsBeginning;
    }

    @Override
    public boolean isBatched() {
        return batched;
    }

    @Override
    public void execute(Session session) {
        new Replay(session, threads, takesMail, texts, null).execute(program);
    }

    /**
     * Replays a history without executing anything. A closed run must also end in the same way.
     *
     * @throws dev.dormouse.internal.run.CodeMismatch if the code does not match the history
     */
    public void replay(RunRow run, List<Event> history) {
        replayWith(run, history, null);
    }

    private void replayWith(RunRow run, List<Event> history, @Nullable Query query) {
        QuerySession session = new QuerySession(run, history, threads);
        session.play(() -> new Replay(session, threads, takesMail, texts, query).execute(program));
    }

    @Override
    public Payload query(RunRow run, List<Event> history, String name, List<Payload> arguments) {
        Query query = new Query(name, arguments);
        replayWith(run, history, query);
        return query.result();
    }
}
