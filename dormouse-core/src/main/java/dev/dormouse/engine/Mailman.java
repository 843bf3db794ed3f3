package dev.dormouse.engine;

import dev.dormouse.store.DeliverOutcome;
import dev.dormouse.store.Delivery;
import dev.dormouse.store.Notice;
import dev.dormouse.store.RunRow;
import dev.dormouse.store.RunStatus;
import java.util.List;

/** Puts items into inboxes and sees to it that somebody looks: the run's node, this one, or whoever may claim it. */
final class Mailman {
    private final Engine engine;

    Mailman(Engine engine) {
        this.engine = engine;
    }

    DeliverOutcome deliver(int shard, Delivery delivery) {
        DeliverOutcome outcome = engine.writers(shard).deliver(delivery);
        if (outcome instanceof DeliverOutcome.Accepted accepted) {
            wake(accepted);
        }
        return outcome;
    }

    private void wake(DeliverOutcome.Accepted accepted) {
        RunRow run = accepted.run();
        if (run.owner().equals(engine.nodeId())) {
            RunExecution here = engine.table().get(run.runId());
            if (here != null) {
                here.mailArrived(accepted.position());
            }
        } else if (!run.owner().isEmpty()) {
            engine.store().notify(List.of(new Notice.MailArrived(run.owner(), run.runId())));
        } else if (run.status() == RunStatus.WAITING) {
            wakeWaiting(run, accepted);
        }
    }

    private void wakeWaiting(RunRow run, DeliverOutcome.Accepted accepted) {
        if (engine.code().containsKey(run.type()) && !Builds.has(run.refused(), engine.build())) {
            engine.arm(accepted.at());
        } else {
            engine.ring(run.shard(), run.lane(), accepted.at());
        }
    }
}
