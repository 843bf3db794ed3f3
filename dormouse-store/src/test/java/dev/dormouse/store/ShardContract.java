package dev.dormouse.store;

import static dev.dormouse.store.Samples.LANE;
import static dev.dormouse.store.Samples.LEASE;
import static dev.dormouse.store.Samples.NODE;
import static dev.dormouse.store.Samples.bytes;
import static dev.dormouse.store.Samples.newId;
import static dev.dormouse.store.Samples.outgoing;
import static dev.dormouse.store.Samples.pending;
import static dev.dormouse.store.Samples.signal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.store.event.PastEvent;
import dev.dormouse.store.event.Question;
import dev.dormouse.store.event.Subscription;
import dev.dormouse.store.page.RunFilter;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Claimed;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.DeliverOutcome;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.Renewal;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.Start;
import dev.dormouse.store.run.StartOutcome;
import dev.dormouse.store.run.Sweep;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A call concerns one shard and sees nothing of the others. */
interface ShardContract extends ContractWords {

    /** Continues with a new, empty database that has {@code shards} shards. */
    void reopen(int shards) throws Exception;

    @Test
    default void databaseHasAsManyShardsAsItWasMadeWith() throws Exception {
        assertThat(store().shards()).isEqualTo(1);
        reopen(5);
        assertThat(store().shards()).isEqualTo(5);
    }

    @Test
    default void sameIdsInTwoShardsAreTwoRuns() throws Exception {
        reopen(3);
        Start start = pending("a");
        assertThat(store().start(1, List.of(start)).get(0)).isInstanceOf(StartOutcome.Started.class);
        assertThat(store().start(2, List.of(start)).get(0)).isInstanceOf(StartOutcome.Started.class);
        Claimed claimed = store().claim(1, Samples.claim(10));
        assertThat(claimed.runs()).hasSize(1);
        assertThat(claimed.runs().get(0).row().shard()).isEqualTo(1);
        Held held = Held.of(claimed.runs().get(0).row());
        Commit step = Held.sending(held.step(), outgoing("b"));
        assertThat(store().commit(2, List.of(step)).get(0)).isEqualTo(new CommitOutcome.Fenced());
        assertThat(store().commit(1, List.of(step)).get(0)).isInstanceOf(CommitOutcome.Committed.class);
        RunRow other = store().run(2, start.runId()).orElseThrow();
        assertThat(other.status()).isEqualTo(RunStatus.PENDING);
        assertThat(other.nextSeq()).isEqualTo(1);
        assertThat(store().histories(2, List.of(start.runId()))).hasSize(1);
        assertThat(store().histories(1, List.of(start.runId()))).hasSize(2);
    }

    @Test
    default void everythingStaysInItsShard() throws Exception {
        reopen(2);
        Start start = Samples.leased("a");
        store().start(1, List.of(start));
        Held held = Held.of(store().run(1, start.runId()).orElseThrow());
        assertThat(store().deliver(0, List.of(signal("a", "k")), LEASE).get(0)).isEqualTo(new DeliverOutcome.NoRun());
        store().deliver(1, List.of(signal("a", "k")), LEASE);
        store().commit(1, List.of(Held.sending(held.close(), outgoing("b"))));
        store().sweep(1, new Sweep(NODE, "b", List.of(LANE), 10));
        tick();
        assertThat(store().current(0, "a")).isEmpty();
        assertThat(store().run(0, start.runId())).isEmpty();
        assertThat(store().runs(0, List.of(start.runId()))).isEmpty();
        assertThat(store().histories(0, List.of(start.runId()))).isEmpty();
        assertThat(store().mail(0, "a", 0, 10)).isEmpty();
        assertThat(store().outbox(0, 10)).isEmpty();
        assertThat(store().nodes(0)).isEmpty();
        assertThat(store().list(0, RunFilter.ALL, Optional.empty(), 10).runs()).isEmpty();
        assertThat(store().sweep(0, Samples.sweep(10)).outbox()).isFalse();
        assertThat(store().purge(0, now().plusSeconds(1), Optional.empty(), 10).runs())
                .isZero();
        assertThat(store().run(1, start.runId())).isPresent();
    }

    @Test
    default void questionsStayInTheirShard() throws Exception {
        reopen(2);
        Question question = new Question(newId(), newId(), "a", LANE, bytes("?"));
        store().ask(1, question);
        tick();
        assertThat(store().questions(0, List.of(LANE), 10)).isEmpty();
        store().reply(0, question.id(), bytes("!"));
        assertThat(store().reply(1, question.id())).isEmpty();
        assertThat(store().forget(0, List.of(question.id()), Duration.ZERO)).isZero();
        assertThat(store().questions(1, List.of(LANE), 10)).hasSize(1);
        store().reply(1, question.id(), bytes("!"));
        assertThat(store().reply(0, question.id())).isEmpty();
        assertThat(store().reply(1, question.id())).contains(bytes("!"));
    }

    @Test
    default void eventsAndDefinitionsStayInTheirShard() throws Exception {
        reopen(2);
        Subscription subscription = new Subscription("a", "1", "paid", "k", bytes("x"), null);
        store().subscribe(1, List.of(subscription));
        store().unsubscribe(0, List.of(subscription));
        assertThat(store().subscriptions(0, "paid", List.of("k"), null, 10)).isEmpty();
        assertThat(store().subscriptions(1, "paid", List.of("k"), null, 10)).hasSize(1);
        store().remember(1, List.of(new PastEvent("paid", "1", bytes("one"))), LEASE);
        assertThat(store().recall(0, "paid", LEASE, 10)).isEmpty();
        store().remember(0, List.of(new PastEvent("paid", "1", bytes("zero"))), LEASE);
        assertThat(store().recall(1, "paid", LEASE, 10).get(0).payload()).isEqualTo(bytes("one"));
        assertThat(store().define(1, "a", 1, bytes("one"))).isTrue();
        assertThat(store().definition(0, "a", 1)).isEmpty();
        assertThat(store().definition(0, "a", 0)).isEmpty();
        assertThat(store().definitions(0, Instant.EPOCH, null, 10)).isEmpty();
        assertThat(store().define(0, "a", 1, bytes("zero"))).isTrue();
        assertThat(store().definition(1, "a", 0).orElseThrow().body()).isEqualTo(bytes("one"));
    }

    /** Adds entries to a shard, which deletes expired entries of the same shard only. */
    @Test
    default void eventsAreForgottenInTheirShard() throws Exception {
        reopen(2);
        store().remember(1, List.of(new PastEvent("paid", "1", bytes("x"))), Duration.ZERO);
        tick();
        store().remember(0, List.of(new PastEvent("sent", "1", bytes("x"))), LEASE);
        assertThat(store().recall(1, "paid", LEASE, 10)).hasSizeLessThanOrEqualTo(1);
        store().remember(1, List.of(new PastEvent("sent", "1", bytes("x"))), LEASE);
        assertThat(store().recall(1, "paid", LEASE, 10)).isEmpty();
    }

    @Test
    default void alarmsLeasesAndStuckRunsStayInTheirShard() throws Exception {
        reopen(2);
        Start leased = Samples.leased("leased");
        Start stuck = Samples.start("stuck", NextState.stuck(new Alarm.In(Samples.FAR), "trouble"));
        store().start(1, List.of(leased, stuck, pending("due")));
        Renewal renewal = new Renewal(leased.runId(), leased.next().lease());
        assertThat(store().renew(0, List.of(renewal), LEASE).mail()).isEmpty();
        assertThat(store().renew(1, List.of(renewal), LEASE).mail()).hasSize(1);
        assertThat(store().sweep(0, Samples.sweep(10)).alarms()).isEmpty();
        assertThat(store().sweep(1, Samples.sweep(10)).alarms()).hasSize(2);
        assertThat(store().sweep(0, Samples.sweep(10)).overdue()).isFalse();
        assertThat(store().claim(0, Samples.claim(10)).runs()).isEmpty();
        assertThat(store().wakeStuck(0, List.of(LANE), "b")).isZero();
        assertThat(store().wakeStuck(1, List.of(LANE), "b")).isEqualTo(1);
        store().leave(0, NODE);
        assertThat(store().nodes(1)).hasSize(1);
        assertThat(store().claim(1, Samples.claim(10)).runs()).hasSize(2);
    }
}
