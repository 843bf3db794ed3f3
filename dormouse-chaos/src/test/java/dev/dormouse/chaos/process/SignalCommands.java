package dev.dormouse.chaos.process;

import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.chaos.workload.SignalCounter;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The worker commands that send signals. */
public final class SignalCommands {
    private final Dormouse dormouse;

    public SignalCommands(Dormouse dormouse) {
        this.dormouse = dormouse;
    }

    /**
     * prefix runs waits: starts signal counters and sends each of them numbers until it is closed; answers with the
     * numbers of accepted signals
     */
    public String pelt(String[] words) throws Exception {
        int runs = Integer.parseInt(words[1]);
        ExecutorService pool = Executors.newFixedThreadPool(runs);
        List<Future<Integer>> counts = new ArrayList<>();
        for (int i = 0; i < runs; i++) {
            String id = words[0] + i;
            counts.add(pool.submit(() -> {
                WorkflowHandle<?> handle =
                        dormouse.start("SignalCounter", id, Object.class, Integer.parseInt(words[2]));
                return sendUntilClosed(handle);
            }));
        }
        List<String> answer = new ArrayList<>();
        for (Future<Integer> count : counts) {
            answer.add(count.get().toString());
        }
        pool.shutdown();
        return String.join(" ", answer);
    }

    private static int sendUntilClosed(WorkflowHandle<?> handle) {
        int accepted = 0;
        while (true) {
            try {
                handle.signalOnce("key-" + accepted, "add", 0, accepted);
                if (accepted % 3 == 0) {
                    handle.signalOnce("key-" + accepted, "add", 0, accepted); // counts once
                }
                accepted++;
            } catch (DormouseException problem) {
                if (problem.code() == ErrorCode.RUN_CLOSED) {
                    return accepted;
                } else if (problem.code() != ErrorCode.STORE_UNAVAILABLE) {
                    throw problem;
                }
            }
        }
    }

    /**
     * id senders each: sends signals to one signal counter from many threads; answers with the nanoseconds that it took
     */
    public String storm(String[] words) throws Exception {
        WorkflowHandle<?> handle = dormouse.start("SignalCounter", words[0], Object.class, 0);
        int senders = Integer.parseInt(words[1]);
        int each = Integer.parseInt(words[2]);
        ExecutorService pool = Executors.newFixedThreadPool(senders);
        long began = System.nanoTime();
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < senders; i++) {
            int sender = i;
            all.add(pool.submit(() -> {
                for (int number = 0; number < each; number++) {
                    handle.signal("add", sender, number);
                }
            }));
        }
        for (Future<?> one : all) {
            one.get();
        }
        pool.shutdown();
        long took = System.nanoTime() - began;
        handle.signal("end");
        return Long.toString(took);
    }

    /**
     * id: answers with the number of signals that a signal counter has handled, and how many of them were out of order
     */
    public String seen(String[] words) {
        SignalCounter tally = dormouse.workflow(SignalCounter.class, words[0]);
        return tally.seen() + " " + tally.outOfOrder();
    }

    /** id name */
    public String signal(String[] words) {
        dormouse.find(words[0], String.class).orElseThrow().signal(words[1]);
        return "ok";
    }

    /** id: waits for the result of a signal counter */
    public String result(String[] words) {
        return String.valueOf(
                dormouse.find(words[0], Object.class).orElseThrow().result());
    }
}
