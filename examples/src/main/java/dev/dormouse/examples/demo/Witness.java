package dev.dormouse.examples.demo;

import dev.dormouse.Monitor;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Hears from the engine which orders it has replayed or taken over, and keeps that for the next report. */
final class Witness implements Monitor {
    private final Queue<Report.Replay> latest = new ConcurrentLinkedQueue<>();

    @Override
    public void replayed(Replayed event) {
        add(event.workflowId(), event.events(), false);
    }

    @Override
    public void takenOver(TakenOver event) {
        add(event.workflowId(), event.events(), true);
    }

    private void add(String workflowId, int events, boolean isTakeover) {
        if (Orders.isOrder(workflowId)) {
            latest.add(new Report.Replay(Orders.numberOf(workflowId), events, isTakeover));
        }
    }

    List<Report.Replay> take() {
        List<Report.Replay> taken = new ArrayList<>();
        for (Report.Replay one = latest.poll(); one != null; one = latest.poll()) {
            taken.add(one);
        }
        return taken;
    }
}
