package dev.dormouse.sim;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.SignalMethod;
import dev.dormouse.StartOptions;
import dev.dormouse.UpdateMethod;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.Message;
import dev.dormouse.internal.history.MessageCodec;
import dev.dormouse.store.run.InboxMessage;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.testing.memory.MemoryStore;
import dev.dormouse.testing.sim.FaultInjector.Fault;
import dev.dormouse.testing.sim.SimWorld;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * Execution timeouts beside messages. Callers send signals and updates until they are refused, so that many come around
 * the deadline. Each one that was accepted must be applied before the run closes; only a signal to end that was accepted
 * before the deadline completes the run.
 */
final class TimeoutWorld extends ApiWorld {
    private final Set<String> applied = new HashSet<>();
    private final Set<String> accepted = new HashSet<>();
    private int timedOut;

    /** A workflow that handles signals and executes occasional steps until its end signal. */
    @WorkflowInterface
    interface Listener {
        @WorkflowMethod(name = "listener")
        String listen(boolean busy);

        @SignalMethod
        void put(String text);

        @SignalMethod
        void end();

        @UpdateMethod
        String ask(String text);
    }

    private final class Listening implements Listener {
        private boolean ended;

        @Override
        public String listen(boolean busy) {
            String id = Workflow.info().workflowId();
            for (int i = 0; busy && !ended; i++) {
                Workflow.step("s" + i, () -> pass(500));
                Workflow.await(Duration.ofMillis(800), () -> ended);
            }
            Workflow.await(() -> ended);
            return id;
        }

        @Override
        public void put(String text) {
            applied.add(Workflow.info().workflowId() + " " + text);
        }

        @Override
        public void end() {
            ended = true;
        }

        @Override
        public String ask(String text) {
            if (text.endsWith("3")) {
                Workflow.sleep(Duration.ofMillis(700));
            }
            return "answer to " + text;
        }
    }

    TimeoutWorld(long seed, Function<SimWorld, MemoryStore> store) {
        super(seed, store);
    }

    int timedOut() {
        return timedOut;
    }

    @Override
    DormouseBuilder node(DormouseBuilder builder, int number) {
        return builder.workflow(Listener.class, Listening::new);
    }

    @Override
    void call(Dormouse client, String id) {
        StartOptions within = StartOptions.DEFAULT.withExecutionTimeout(
                Duration.ofMillis(500 + world.random().nextInt(8_000)));
        boolean busy = world.random().nextBoolean();
        int end = world.random().nextInt(60);
        WorkflowHandle<String> handle = start(client, "listener", id, within, busy);
        for (int i = 0; ; i++) {
            String text = "" + i;
            if (!send(handle, "put " + i, "put", text)) {
                return;
            }
            accepted.add(id + " " + text);
            if (i == end && !send(handle, "end", "end")) {
                return;
            }
            if (i % 5 == 3) {
                world.driver().threads().startCode("asker", () -> ask(handle, text));
            }
            pass(300);
        }
    }

    private boolean send(WorkflowHandle<String> handle, String key, String signal, Object... arguments) {
        return tryUntilAnswered(ErrorCode.RUN_CLOSED.label()::equals, () -> handle.signalOnce(key, signal, arguments));
    }

    /** An update is answered, or refused because the run has closed; never is its sender left without an answer. */
    private void ask(WorkflowHandle<String> handle, String text) {
        Duration patience = Duration.ofSeconds(20);
        try {
            String answer = handle.updateOnce(text, patience, "ask", String.class, text);
            expect(answer.equals("answer to " + text), "update " + text + " was answered with " + answer);
        } catch (DormouseException refused) {
            boolean isTold = refused.code() != ErrorCode.NOT_ANSWERED || !faultMix.isHarmless();
            expect(isTold, "update " + text + " of " + handle.workflowId() + " was not answered");
        }
    }

    @Override
    void check(RunRow row, List<Event> events) {
        boolean isOver = row.status() == RunStatus.COMPLETED || row.status() == RunStatus.TIMED_OUT;
        expect(isOver, "a run ended otherwise: " + row);
        timedOut += row.status() == RunStatus.TIMED_OUT ? 1 : 0;
        expect(row.mail() == row.consumed(), "a run closed without its mail: " + row);
        for (String signal : accepted) {
            boolean isMeant = signal.startsWith(row.workflowId() + " ");
            expect(!isMeant || applied.contains(signal), "accepted and not applied: " + signal + " of " + row);
        }
        if (!faultMix.faults.contains(Fault.CLOCK_BACK)) {
            checkWhichCameFirst(row, events);
        }
    }

    private static void checkWhichCameFirst(RunRow row, List<Event> events) {
        Instant deadline = ((Event.RunStarted) events.get(0)).deadline();
        for (Event event : events) {
            if (event instanceof Event.MailReceived received) {
                for (InboxMessage item : received.items()) {
                    boolean isEnd = MessageCodec.decode(item.kind(), item.payload()) instanceof Message.Signal signal
                            && signal.name().equals("end");
                    boolean isLate = !item.acceptedAt().isBefore(deadline);
                    RunStatus wrong = isLate ? RunStatus.COMPLETED : RunStatus.TIMED_OUT;
                    expect(
                            !isEnd || row.status() != wrong || !isLate && isBusy(events),
                            "told to end at " + item.acceptedAt() + " with deadline " + deadline + ": " + row + events);
                }
            }
        }
    }

    /** Code that is in a step at the timeout is too late, whatever signals it received. */
    private static boolean isBusy(List<Event> events) {
        return events.stream().anyMatch(event -> event instanceof Event.StepCompleted)
                || new String(((Event.RunStarted) events.get(0)).input().get(0).bytes(), StandardCharsets.UTF_8)
                        .equals("true");
    }
}
