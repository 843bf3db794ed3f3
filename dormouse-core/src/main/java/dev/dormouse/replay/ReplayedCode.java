package dev.dormouse.replay;

import dev.dormouse.codec.Payload;
import dev.dormouse.engine.RunCode;
import dev.dormouse.engine.Session;
import dev.dormouse.engine.Threads;
import dev.dormouse.history.Event;
import dev.dormouse.history.Failure;
import dev.dormouse.history.FailureTexts;
import dev.dormouse.store.RunRow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The code of a workflow type, run by replaying its history. */
public final class ReplayedCode implements RunCode {
    private final Program program;
    private final Threads threads;
    private final boolean takesMail;
    private final boolean batched;
    private final boolean recordsItsBeginning;
    private final FailureTexts texts;

    /**
     * @param threads for coroutines beside the first
     * @param takesMail whether mail may change what the code does while it is in a step
     * @param batched whether results of steps may be committed a little later
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

    /** Returns the same code whose exceptions are kept in this form. */
    public ReplayedCode keeping(FailureTexts newTexts) {
        return new ReplayedCode(program, threads, takesMail, batched, recordsItsBeginning, newTexts);
    }

    @Override
    public Failure keep(Throwable problem) {
        return texts.keep(problem);
    }

    /** Code of a single step, to which it does not matter when its run began. */
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
     * Goes through a history without executing anything. Throws {@link dev.dormouse.engine.CodeMismatch} when the code
     * does not match it; one that is closed must also come to the same kind of end.
     */
    public void replay(RunRow run, List<Event> history) {
        rehearse(run, history, null);
    }

    private void rehearse(RunRow run, List<Event> history, @Nullable Query query) {
        QuerySession session = new QuerySession(run, history, threads);
        session.play(() -> new Replay(session, threads, takesMail, texts, query).execute(program));
    }

    @Override
    public Payload query(RunRow run, List<Event> history, String name, List<Payload> arguments) {
        Query query = new Query(name, arguments);
        rehearse(run, history, query);
        return query.result();
    }
}
