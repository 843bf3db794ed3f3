package dev.dormouse.store;

import static dev.dormouse.store.Samples.SHARD;
import static dev.dormouse.store.Samples.newId;
import static dev.dormouse.store.Samples.outgoing;
import static dev.dormouse.store.Samples.randomBytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.Outgoing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Outgoing items are kept until they are forwarded. */
interface OutboxContract extends ContractWords {

    @Test
    default void outboxIsWrittenWithTheCommitAndKeptAsItIs() {
        Held held = held("a");
        Outgoing odd = new Outgoing(newId(), "ü'\"%\\\uD83D\uDC2D", -7, randomBytes(70_000));
        committed(Held.sending(held.step(), odd));
        Outgoing kept = store().outbox(SHARD, 10).get(0);
        assertThat(kept.id()).isEqualTo(odd.id());
        assertThat(kept.workflowId()).isEqualTo(odd.workflowId());
        assertThat(kept.kind()).isEqualTo(odd.kind());
        assertThat(Arrays.equals(kept.payload(), odd.payload())).isTrue();
    }

    @Test
    default void oldestItemsComeFirstAndForwardedOnesAreGone() {
        List<Outgoing> sent = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Held held = held("wf-" + i);
            Outgoing one = outgoing("to-" + i);
            Outgoing two = outgoing("to-" + i);
            committed(Held.sending(i % 2 == 0 ? held.step() : held.close(), one, two));
            sent.add(one);
            sent.add(two);
        }
        List<Outgoing> first = store().outbox(SHARD, 4);
        assertThat(first).extracting(Outgoing::id).containsExactlyElementsOf(ids(sent.subList(0, 4)));
        store().forwarded(SHARD, List.of(first.get(0).id(), first.get(2).id(), newId()));
        store().forwarded(SHARD, List.of(first.get(0).id()));
        List<Outgoing> rest = new ArrayList<>(sent);
        rest.removeIf(item -> item.id().equals(first.get(0).id())
                || item.id().equals(first.get(2).id()));
        assertThat(ids(store().outbox(SHARD, 100))).isEqualTo(ids(rest));
    }

    @Test
    default void itemsOfOneCommitKeepTheirOrderWhateverTheirIds() {
        Outgoing[] items = new Outgoing[50];
        for (int i = 0; i < items.length; i++) {
            items[i] = new Outgoing(UUID.randomUUID(), "to", 1, new byte[] {(byte) i});
        }
        committed(Held.sending(held("a").step(), items));
        assertThat(ids(store().outbox(SHARD, 100))).isEqualTo(ids(List.of(items)));
    }

    private static List<UUID> ids(List<Outgoing> items) {
        return items.stream().map(Outgoing::id).toList();
    }

    @Test
    default void commitWithoutEventsSendsToo() {
        Held held = held("a");
        committed(Held.sending(held.becoming(NextState.running(held.lease())), outgoing("b")));
        assertThat(store().outbox(SHARD, 10)).hasSize(1);
    }

    @Test
    default void outboxOutlivesTheRunThatSent() {
        Held held = held("a");
        committed(Held.sending(held.close(), outgoing("b")));
        tick();
        assertThat(store().purge(SHARD, now(), Optional.empty(), 10).runs()).isEqualTo(1);
        assertThat(store().outbox(SHARD, 10)).hasSize(1);
    }
}
