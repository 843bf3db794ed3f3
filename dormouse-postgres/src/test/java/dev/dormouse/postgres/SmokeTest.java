package dev.dormouse.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.store.*;
import java.time.*;
import java.util.*;
import org.junit.jupiter.api.Test;

class SmokeTest {
    @Test
    void smoke() {
        String schema = TestPostgres.newSchema();
        try (Store store = TestPostgres.open(schema)) {
            UUID id = new UUID(1, 2);
            Start start = new Start("wf", id, "T", "T", "node", NextState.running(7, Duration.ofSeconds(15)), new Append(1, new byte[] {1}, 5), Set.of());
            System.out.println(store.start(0, List.of(start)));
            System.out.println(store.start(0, List.of(start)));
            System.out.println(store.deliver(0, List.of(new Delivery("wf", "k", 1, new byte[] {3})), Duration.ofSeconds(15)));
            System.out.println(store.deliver(0, List.of(new Delivery("wf", "k", 1, new byte[] {3})), Duration.ofSeconds(15)));
            Commit c = new Commit(id, Fence.of(7, 1), new Append(2, new byte[] {9}, 6), 1, NextState.waiting(Alarm.NOW, WakeReason.TIMER), List.of(new Outgoing(new UUID(3, 4), "x", 1, new byte[0])));
            System.out.println(store.commit(0, List.of(c)));
            System.out.println(store.commit(0, List.of(c)));
            System.out.println(store.claim(0, new Claim(List.of("T"), 10, 8, Duration.ofSeconds(15), "node", "b", Duration.ofSeconds(10), true, Instant.EPOCH)));
            System.out.println(store.renew(0, List.of(new Renewal(id, 8)), Duration.ofSeconds(15)));
            System.out.println(store.sweep(0, new Sweep("n", "b", List.of("T", "U"), 10)));
            System.out.println(store.nodes(0));
            System.out.println(store.knock(0, List.of("T"), "b"));
            System.out.println(store.current(0, "wf"));
            System.out.println(store.histories(0, List.of(id)));
            System.out.println(store.lastHistory(0, id));
            System.out.println(store.mail(0, "wf", 0, 10));
            System.out.println(store.list(0, RunFilter.ALL, Optional.empty(), 10));
            System.out.println(store.list(0, new RunFilter("w", null, Set.of()), Optional.empty(), 10));
            System.out.println(store.outbox(0, 10));
            store.forwarded(0, List.of(new UUID(3, 4)));
            System.out.println(store.commit(0, List.of(new Commit(id, Fence.of(8, 3), new Append(1, new byte[] {9}, 7), 1, NextState.closed(RunStatus.COMPLETED), List.of()))));
            Start two = new Start("wf", new UUID(1, 3), "T", "T", "node", NextState.running(7, Duration.ofSeconds(15)), new Append(1, new byte[] {1}, 5), Set.of(RunStatus.COMPLETED));
            System.out.println(store.start(0, List.of(two)));
            System.out.println(store.current(0, "wf"));
            System.out.println(store.purge(0, Instant.now().plusSeconds(10), Optional.empty(), 10));
            assertThat(store.list(0, RunFilter.ALL, Optional.empty(), 10).runs()).hasSize(1);
        }
    }
}
