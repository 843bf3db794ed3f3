package dev.dormouse.demo.worker;

import dev.dormouse.demo.order.OrderIds;
import dev.dormouse.inspect.Monitor;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A monitor that collects replayed and taken-over orders for the next report. Thread-safe. */
final class ReplayMonitor implements Monitor {
    private final Queue<WorkerReport.Replay> latest = new ConcurrentLinkedQueue<>();

    @Override
    public void replayed(Replayed event) {
        add(event.workflowId(), event.events(), false);
    }

    @Override
    public void takenOver(TakenOver event) {
        add(event.workflowId(), event.events(), true);
    }

    private void add(String workflowId, int events, boolean isTakeover) {
        if (OrderIds.isOrder(workflowId)) {
            latest.add(new WorkerReport.Replay(OrderIds.numberOf(workflowId), events, isTakeover));
        }
    }

    List<WorkerReport.Replay> take() {
        List<WorkerReport.Replay> taken = new ArrayList<>();
        for (WorkerReport.Replay one = latest.poll(); one != null; one = latest.poll()) {
            taken.add(one);
        }
        return taken;
    }
}
