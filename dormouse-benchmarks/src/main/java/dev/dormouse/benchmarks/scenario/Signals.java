package dev.dormouse.benchmarks.scenario;

import dev.dormouse.benchmarks.load.Load;
import dev.dormouse.benchmarks.measure.Reading;
import dev.dormouse.benchmarks.measure.Unit;
import dev.dormouse.benchmarks.system.Contender;
import dev.dormouse.benchmarks.system.Mail;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Signals per second to as many workflows as there are senders, until each is durable. The workflows read them too. */
public record Signals(int senders) implements Scenario {

    @Override
    public List<String> names() {
        return List.of("signals");
    }

    @Override
    public boolean suits(Contender contender) {
        return contender.can(Mail.class);
    }

    @Override
    public Length length() {
        return Length.LONG;
    }

    @Override
    public List<Reading> play(Turn turn) throws Exception {
        try (Mail mail = turn.open(Mail.class)) {
            for (int i = 0; i < senders; i++) {
                mail.begin("talk-" + i);
            }
            AtomicInteger next = new AtomicInteger();
            Load load = new Load(senders, id -> mail.tell("talk-" + next.getAndIncrement() % senders));
            Load.Outcome outcome =
                    load.run(turn.effort().warmUp(), turn.effort().window());
            return List.of(new Reading(name(), Unit.PER_SECOND, outcome.perSecond()));
        }
    }
}
