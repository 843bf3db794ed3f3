package dev.dormouse.store;

import static dev.dormouse.store.Samples.SHARD;
import static dev.dormouse.store.Samples.bytes;
import static dev.dormouse.store.Samples.leased;
import static dev.dormouse.store.Samples.pending;
import static dev.dormouse.store.Samples.randomBytes;
import static dev.dormouse.store.Samples.signal;
import static dev.dormouse.store.Samples.withFirst;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Append;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.DeliverOutcome;
import dev.dormouse.store.run.Delivery;
import dev.dormouse.store.run.HistoryRow;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.Start;
import dev.dormouse.store.run.StartOutcome;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Strange ids, payloads and numbers are stored unchanged, or only that entry is refused. */
interface OddInputContract extends ContractWords {
    int TWO_MEGABYTES = 2 * 1024 * 1024;

    @Test
    default void oddWorkflowIdsTypesAndKeysAreKept() {
        List<String> odd = List.of(
                "it's; drop table run; --",
                "\"quoted\" {array,NULL} [x] (y)",
                "back\\slash \\\\ \\n",
                "\u00e4\u00f6\u00fc \u4e16\u754c \uD83D\uDC2D e\u0301",
                "\n\t\r line",
                " leading and trailing ",
                "?::text $1 :name %s",
                "\uFFFF\u200B\u202E",
                "x".repeat(1000),
                Base64.getEncoder().encodeToString(randomBytes(750)),
                "\uD83D\uDC2D".repeat(500),
                "NULL",
                "null");
        for (String text : odd) {
            UUID runId = started(Samples.inLane(Samples.ofType(pending(text), text), text));
            RunRow row = store().current(SHARD, text).orElseThrow();
            assertThat(row.runId()).isEqualTo(runId);
            assertThat(List.of(row.workflowId(), row.type(), row.lane())).containsOnly(text);
            assertThat(accepted(signal(text, text)).position()).isEqualTo(1);
            assertThat(deliver(signal(text, text))).isEqualTo(new DeliverOutcome.Duplicate(1));
            assertThat(mail(text).get(0).key()).isEqualTo(text);
        }
    }

    @Test
    default void textThatADatabaseMayNotHoldIsKeptOrRefusedByItself() {
        for (String text : List.of("nul\u0000nul", "lone \uD83D surrogate", "\uDC2D")) {
            List<StartOutcome> outcomes =
                    store().start(SHARD, List.of(pending("before " + text.hashCode()), pending(text)));
            assertThat(outcomes.get(0)).isInstanceOf(StartOutcome.Started.class);
            if (outcomes.get(1) instanceof StartOutcome.Started) {
                assertThat(store().current(SHARD, text).orElseThrow().workflowId())
                        .isEqualTo(text);
            } else {
                assertThat(outcomes.get(1)).isInstanceOf(StartOutcome.Rejected.class);
            }
        }
        assertThat(store().current(SHARD, "nul")).isEmpty();
        assertThat(store().current(SHARD, "?")).isEmpty();
        assertThat(store().current(SHARD, "\uFFFD")).isEmpty();
    }

    @Test
    default void commitThatADatabaseMayNotHoldIsKeptOrRefusedByItself() {
        Held good = held("good");
        Held odd = held("odd");
        RunRow before = row(odd.runId());
        NextState stuck = NextState.stuck(Alarm.NONE, "trouble").inLane("nul\u0000nul", "");
        List<CommitOutcome> outcomes = store().commit(SHARD, List.of(odd.becoming(stuck), good.step()));
        assertThat(outcomes.get(1)).isInstanceOf(CommitOutcome.Committed.class);
        if (outcomes.get(0) instanceof CommitOutcome.Committed) {
            assertThat(row(odd.runId()).lane()).isEqualTo("nul\u0000nul");
        } else {
            assertThat(outcomes.get(0)).isInstanceOf(CommitOutcome.Rejected.class);
            assertThat(row(odd.runId())).isEqualTo(before);
        }
    }

    @Test
    default void deliveryThatADatabaseMayNotHoldIsKeptOrRefusedByItself() {
        held("good");
        held("odd");
        List<DeliverOutcome> outcomes =
                store().deliver(SHARD, List.of(signal("odd", "nul\u0000nul"), signal("good", "k")), Samples.LEASE);
        assertThat(outcomes.get(1)).isInstanceOf(DeliverOutcome.Accepted.class);
        if (outcomes.get(0) instanceof DeliverOutcome.Accepted) {
            assertThat(mail("odd").get(0).key()).isEqualTo("nul\u0000nul");
        } else {
            assertThat(outcomes.get(0)).isInstanceOf(DeliverOutcome.Rejected.class);
            assertThat(mail("odd")).isEmpty();
            assertThat(accepted(signal("odd", "k")).position()).isEqualTo(1);
        }
    }

    @Test
    default void largePayloadsAreKept() {
        byte[] first = randomBytes(TWO_MEGABYTES);
        Start start = withFirst(leased("a"), new Append(1, first, 5));
        started(start);
        byte[] second = randomBytes(TWO_MEGABYTES);
        Held held = Held.of(row(start.runId()));
        committed(held.commit(new Append(1, second, 6), NextState.running(held.lease())));
        byte[] mail = randomBytes(TWO_MEGABYTES);
        accepted(new Delivery("a", "k", 1, mail));
        List<HistoryRow> history = history(start.runId());
        assertThat(history.get(0).payload()).isEqualTo(first);
        assertThat(history.get(1).payload()).isEqualTo(second);
        assertThat(mail("a").get(0).payload()).isEqualTo(mail);
    }

    @Test
    default void payloadsMayHoldAnyByteAndBeEmpty() {
        byte[] all = new byte[256];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) i;
        }
        Held held = held("a");
        committed(held.commit(new Append(1, all, 1), NextState.running(held.lease())));
        held = Held.of(row(held.runId()));
        committed(held.commit(new Append(1, bytes(""), 2), NextState.running(held.lease())));
        assertThat(history(held.runId()).get(1).payload()).isEqualTo(all);
        assertThat(history(held.runId()).get(2).payload()).isEmpty();
    }

    @Test
    default void storeKeepsItsOwnCopyOfAPayload() {
        byte[] payload = bytes("as it was");
        Start start = withFirst(leased("a"), new Append(1, payload, 5));
        started(start);
        payload[0] = 'X';
        assertThat(history(start.runId()).get(0).payload()).isEqualTo(bytes("as it was"));
    }

    @Test
    default void extremeNumbersAreKept() {
        for (long number : new long[] {Long.MIN_VALUE, -1, 1, Long.MAX_VALUE}) {
            NextState next = NextState.running(number, Samples.LEASE);
            Start start = withFirst(Samples.start("wf" + number, next), new Append(1, bytes("x"), number));
            started(start);
            assertThat(row(start.runId()).lease()).isEqualTo(number);
            assertThat(row(start.runId()).checksum()).isEqualTo(number);
            assertThat(history(start.runId()).get(0).checksum()).isEqualTo(number);
            committed(Held.of(row(start.runId())).step());
        }
    }

    @Test
    default void eventCountsMayBeLarge() {
        Held held = held("a");
        committed(held.commit(new Append(1_000_000, bytes("x"), 1), NextState.running(held.lease())));
        assertThat(row(held.runId()).nextSeq()).isEqualTo(1_000_001);
    }

    @Test
    default void troubleIsKeptInAFormThatEveryStoreCanHold() {
        for (String trouble : List.of(
                "Expected …, but \uD83D\uDC2D.\n".repeat(2_000), "nul\u0000", "half \uD83D", "\uDC2D half", "")) {
            Held held = held("wf-" + trouble.hashCode());
            NextState stuck = NextState.stuck(Alarm.NONE, trouble);
            committed(held.becoming(stuck));
            assertThat(row(held.runId()).trouble()).isEqualTo(stuck.trouble()).hasSizeLessThan(5_000);
        }
    }
}
