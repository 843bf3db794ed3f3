package dev.dormouse.internal.embedded;

import dev.dormouse.internal.engine.Node;
import dev.dormouse.internal.engine.command.SentStart;
import dev.dormouse.internal.run.NewRun;
import dev.dormouse.internal.run.StartedRun;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Many starts by one thread. All of them are sent before the first one is answered, up to {@link #MAX_ON_THE_WAY}, so
 * that the writers put them into few transactions. Confined to the calling thread.
 */
final class ManyStarts {
    private static final int MAX_ON_THE_WAY = 2_000;

    private final Node node;
    private final Deque<OnTheWay> onTheWay = new ArrayDeque<>();
    private @Nullable RuntimeException problem;

    private record OnTheWay(NewRun run, SentStart sent) {}

    ManyStarts(Node node) {
        this.node = node;
    }

    /**
     * Starts all runs, and passes each to {@code started}, in order. A failed start does not keep the others from
     * starting; the first problem is thrown at the end.
     */
    void start(List<NewRun> runs, BiConsumer<NewRun, StartedRun> started) {
        for (NewRun run : runs) {
            if (onTheWay.size() == MAX_ON_THE_WAY) {
                settle(onTheWay.remove(), started);
            }
            send(run);
        }
        while (!onTheWay.isEmpty()) {
            settle(onTheWay.remove(), started);
        }
        if (problem != null) {
            throw problem;
        }
    }

    private void send(NewRun run) {
        try {
            onTheWay.add(new OnTheWay(run, node.send(run)));
        } catch (RuntimeException refused) {
            keep(refused);
        }
    }

    private void settle(OnTheWay start, BiConsumer<NewRun, StartedRun> started) {
        try {
            started.accept(start.run, start.sent.settle());
        } catch (RuntimeException failed) {
            keep(failed);
        }
    }

    private void keep(RuntimeException other) {
        if (problem == null) {
            problem = other;
        }
    }
}
