package dev.dormouse.benchmarks.scenario;

import dev.dormouse.benchmarks.load.ClosedLoopLoad;
import dev.dormouse.benchmarks.measure.Reading;
import dev.dormouse.benchmarks.measure.ResourceUsage;
import dev.dormouse.benchmarks.measure.Unit;
import dev.dormouse.benchmarks.system.Contender;
import dev.dormouse.benchmarks.system.MessageEngine;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Durable signals per second to as many workflows as there are senders. The workflows also read them. */
public record Signals(int senders) implements Scenario {

    @Override
    public List<String> names() {
        return Lists.joined(List.of("signals"), ResourceUsage.names("signals"));
    }

    @Override
    public boolean suits(Contender contender) {
        return contender.can(MessageEngine.class);
    }

    @Override
    public TurnLength length() {
        return TurnLength.LONG;
    }

    @Override
    public List<Reading> play(Turn turn) throws Exception {
        try (MessageEngine mail = turn.open(MessageEngine.class)) {
            for (int i = 0; i < senders; i++) {
                mail.begin("talk-" + i);
            }
            AtomicInteger next = new AtomicInteger();
            ClosedLoopLoad.Outcome outcome =
                    turn.load(senders, id -> mail.tell("talk-" + next.getAndIncrement() % senders));
            return Lists.joined(
                    List.of(new Reading(name(), Unit.PER_SECOND, outcome.perSecond())), outcome.perOperation(name()));
        }
    }
}
