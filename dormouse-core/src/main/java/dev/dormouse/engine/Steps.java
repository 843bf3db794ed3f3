package dev.dormouse.engine;

import dev.dormouse.codec.Payload;
import dev.dormouse.history.Event;
import dev.dormouse.history.Failure;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The steps of one run: those that the code wants, those that execute, and those that came to an end. Wanting and
 * taking belong to the run's thread; steps may execute on threads of their own.
 */
final class Steps {
    private final Threads threads;
    private final StoreClock clock;
    private final Gate gate;
    private final ArrayDeque<StepCall> wanted = new ArrayDeque<>();
    private final ArrayDeque<Ended> ended = new ArrayDeque<>();
    private final Map<Integer, Thread> executing = new HashMap<>();
    private final Set<Integer> begun = new HashSet<>();
    private int inFlight;

    /** A step that came to an end: with a result, or with a failure. */
    record Ended(
            StepCall step,
            Instant startedAt,
            @Nullable Payload result,
            @Nullable Failure failure) {
        Event at(Instant at) {
            if (result != null) {
                return new Event.StepCompleted(at, step.call(), step.name(), startedAt, result);
            }
            Failure why = failure == null ? new Failure("", "", "", null) : failure;
            return new Event.StepFailed(at, step.call(), step.name(), startedAt, why);
        }
    }

    /** @param gate opened when a step came to an end */
    Steps(Threads threads, StoreClock clock, Gate gate) {
        this.threads = threads;
        this.clock = clock;
        this.gate = gate;
    }

    /** Notes what the code wants; what it has begun in an earlier stay of the run goes on from there. */
    void want(List<StepCall> steps) {
        for (StepCall step : steps) {
            if (!begun.contains(step.call())) {
                wanted.add(step);
            }
        }
    }

    /** A new stay of the run begins: it will want again what it wants. */
    void wantNothing() {
        wanted.clear();
    }

    /** Takes back steps whose ends were taken but never committed. */
    void giveBack(List<Ended> taken) {
        synchronized (ended) {
            for (Ended end : taken) {
                ended.add(end);
                begun.add(end.step().call());
                inFlight++;
            }
        }
    }

    boolean hasWanted() {
        return !wanted.isEmpty();
    }

    boolean hasOneWanted() {
        return wanted.size() == 1 && inFlight == 0;
    }

    boolean hasInFlight() {
        return inFlight > 0;
    }

    /**
     * Executes the one wanted step here and now.
     *
     * @param begun told its call when it can be interrupted
     */
    Ended runHere(IntConsumer begun) {
        return run(wanted.remove(), begun);
    }

    /** Starts all wanted steps on threads of their own. */
    void startAll() {
        while (!wanted.isEmpty()) {
            StepCall step = wanted.element();
            threads.startCode("step " + step.name(), () -> {
                Ended end = runToTheEnd(step);
                synchronized (ended) {
                    ended.add(end);
                }
                gate.open();
            });
            wanted.remove();
            inFlight++;
            begun.add(step.call());
        }
    }

    @Nullable
    Ended poll() {
        synchronized (ended) {
            Ended end = ended.poll();
            if (end != null) {
                inFlight--;
                begun.remove(end.step().call());
            }
            return end;
        }
    }

    /** Interrupts what executes. */
    void interrupt() {
        synchronized (executing) {
            executing.values().forEach(Thread::interrupt);
        }
    }

    /** Also what nobody should throw ends the step: somebody waits for it. */
    private Ended runToTheEnd(StepCall step) {
        try {
            return run(step, call -> {});
        } catch (Evicted | ThreadDeath unwinding) {
            return new Ended(step, clock.latest(), null, Failure.of(unwinding));
        }
    }

    /** Interrupts this one, if it executes, and lets that be noted before the step can end. */
    void interrupt(int call, Runnable note) {
        synchronized (executing) {
            Thread thread = executing.get(call);
            if (thread != null) {
                note.run();
                thread.interrupt();
            }
        }
    }

    private Ended run(StepCall step, IntConsumer begun) {
        Instant startedAt = clock.latest();
        synchronized (executing) {
            executing.put(step.call(), Thread.currentThread());
        }
        begun.accept(step.call());
        try {
            return new Ended(step, startedAt, step.body().run(), null);
        } catch (Evicted | ThreadDeath unwinding) {
            throw unwinding;
        } catch (Throwable problem) {
            return new Ended(step, startedAt, null, Failure.of(problem));
        } finally {
            synchronized (executing) {
                executing.remove(step.call());
            }
            Thread.interrupted(); // one that was meant for the step must not hit what follows
        }
    }
}
