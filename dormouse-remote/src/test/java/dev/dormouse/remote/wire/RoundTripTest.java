package dev.dormouse.remote.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.Count;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.SqlTimer;
import dev.dormouse.inspect.SqlTimerId;
import dev.dormouse.inspect.StoreTrouble;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.remote.v1.EventProto;
import dev.dormouse.remote.v1.RunProto;
import dev.dormouse.store.base.Definition;
import dev.dormouse.store.base.NodeRow;
import dev.dormouse.store.base.NodeState;
import dev.dormouse.store.base.Notice;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.store.event.Note;
import dev.dormouse.store.event.PastEvent;
import dev.dormouse.store.event.Question;
import dev.dormouse.store.event.Subscription;
import dev.dormouse.store.page.DueCounts;
import dev.dormouse.store.page.DuePage;
import dev.dormouse.store.page.DuePlace;
import dev.dormouse.store.page.OverdueLane;
import dev.dormouse.store.page.RunFilter;
import dev.dormouse.store.page.RunPage;
import dev.dormouse.store.page.StatusCounts;
import dev.dormouse.store.page.Tally;
import dev.dormouse.store.queue.QueueClaim;
import dev.dormouse.store.queue.QueueClaimed;
import dev.dormouse.store.run.Claim;
import dev.dormouse.store.run.Claimed;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.DeliverOutcome;
import dev.dormouse.store.run.Delivery;
import dev.dormouse.store.run.HistoryAppend;
import dev.dormouse.store.run.HistoryRow;
import dev.dormouse.store.run.InboxMessage;
import dev.dormouse.store.run.OutboxPage;
import dev.dormouse.store.run.Purged;
import dev.dormouse.store.run.Renewal;
import dev.dormouse.store.run.Renewed;
import dev.dormouse.store.run.RunKind;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.Start;
import dev.dormouse.store.run.StartOutcome;
import dev.dormouse.store.run.Sweep;
import dev.dormouse.store.run.Swept;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Every record of the store SPI arrives as it was sent. */
class RoundTripTest {
    private static final int VALUES = 300;

    private final RandomRecords random = new RandomRecords(22);

    private <T, M extends Message> void assertUnchanged(Class<T> type, Function<T, M> write, Function<M, T> read) {
        for (int i = 0; i < VALUES; i++) {
            T value = random.of(type);
            assertThat(RandomRecords.describe(read.apply(sent(write.apply(value)))))
                    .isEqualTo(RandomRecords.describe(value));
        }
    }

    /** Returns a message as the other side receives it. */
    @SuppressWarnings("unchecked")
    private static <M extends Message> M sent(M message) {
        try {
            return (M) message.getParserForType().parseFrom(message.toByteString());
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void runsAndTheirChangesArriveUnchanged() {
        assertUnchanged(RunRow.class, RunWire::write, RunWire::read);
        assertUnchanged(Start.class, RunWire::write, RunWire::read);
        assertUnchanged(StartOutcome.class, RunWire::write, RunWire::read);
        assertUnchanged(Commit.class, RunWire::write, RunWire::read);
        assertUnchanged(HistoryAppend.class, RunWire::write, RunWire::read);
        assertUnchanged(CommitOutcome.class, RunWire::write, RunWire::read);
        assertUnchanged(Delivery.class, RunWire::write, RunWire::read);
        assertUnchanged(DeliverOutcome.class, RunWire::write, RunWire::read);
        assertUnchanged(HistoryRow.class, RunWire::write, RunWire::read);
        assertUnchanged(InboxMessage.class, RunWire::write, RunWire::read);
        assertUnchanged(OutboxPage.class, RunWire::write, RunWire::read);
        assertUnchanged(Purged.class, RunWire::write, RunWire::read);
    }

    @Test
    void claimsAndNodesArriveUnchanged() {
        assertUnchanged(Claim.class, ClaimWire::write, ClaimWire::read);
        assertUnchanged(Claimed.class, ClaimWire::write, ClaimWire::read);
        assertUnchanged(QueueClaim.class, ClaimWire::write, ClaimWire::read);
        assertUnchanged(QueueClaimed.class, ClaimWire::write, ClaimWire::read);
        assertUnchanged(Renewal.class, ClaimWire::write, ClaimWire::read);
        assertUnchanged(Renewed.class, ClaimWire::write, ClaimWire::read);
        assertUnchanged(Sweep.class, ClaimWire::write, ClaimWire::read);
        assertUnchanged(Swept.class, ClaimWire::write, ClaimWire::read);
        assertUnchanged(NodeState.class, ClaimWire::write, ClaimWire::read);
        assertUnchanged(NodeRow.class, ClaimWire::write, ClaimWire::read);
    }

    @Test
    void eventsAndNoticesArriveUnchanged() {
        assertUnchanged(Note.class, EventWire::write, EventWire::read);
        assertUnchanged(Question.class, EventWire::write, EventWire::read);
        assertUnchanged(Subscription.class, EventWire::write, EventWire::read);
        assertUnchanged(PastEvent.class, EventWire::write, EventWire::read);
        assertUnchanged(Definition.class, EventWire::write, EventWire::read);
        assertUnchanged(
                Notice.class,
                EventWire::write,
                (EventProto.Notice notice) -> EventWire.read(notice).orElseThrow());
    }

    @Test
    void pagesAndCountsArriveUnchanged() {
        assertUnchanged(RunFilter.class, PageWire::write, PageWire::read);
        assertUnchanged(RunPage.class, PageWire::write, PageWire::read);
        assertUnchanged(DuePlace.class, PageWire::write, PageWire::read);
        assertUnchanged(DueCounts.class, PageWire::write, PageWire::read);
        assertUnchanged(OverdueLane.class, PageWire::write, PageWire::read);
        assertUnchanged(StatusCounts.class, PageWire::write, PageWire::read);
        assertUnchanged(Tally.class, PageWire::write, PageWire::read);
        assertUnchanged(SqlTimerId.class, PageWire::write, PageWire::read);
        assertUnchanged(SqlTimer.class, PageWire::write, PageWire::read);
        assertThat(PageWire.readKinds(PageWire.write(RunKind.ALL))).isEqualTo(RunKind.ALL);
    }

    @Test
    void pagesOfDueItemsArriveUnchanged() {
        for (DuePlace next : new DuePlace[] {null, random.of(DuePlace.class)}) {
            DuePage<RunRow> runs = new DuePage<>(List.of(random.of(RunRow.class), random.of(RunRow.class)), next);
            assertThat(PageWire.read(sent(PageWire.writeRuns(runs)))).isEqualTo(runs);
            DuePage<SqlTimer> timers = new DuePage<>(List.of(random.of(SqlTimer.class)), next);
            assertThat(PageWire.read(sent(PageWire.writeTimers(timers)))).isEqualTo(timers);
        }
    }

    @Test
    void queueDepthsKeepTheirOrder() {
        Map<String, Count> depths = new LinkedHashMap<>();
        depths.put("z", Count.exactly(1));
        depths.put("", Count.about(Long.MAX_VALUE));
        depths.put("ä", Count.NONE);
        assertThat(PageWire.readDepths(PageWire.write(depths))).containsExactlyEntriesOf(depths);
    }

    @Test
    void everyConstantHasANumberInTheProtocol() {
        for (RunStatus status : RunStatus.values()) {
            assertThat(RunProto.RunStatus.forNumber(status.code()).name()).isEqualTo("RUN_STATUS_" + status);
        }
        for (WakeReason reason : WakeReason.values()) {
            assertThat(RunProto.WakeReason.forNumber(reason.code()).name()).isEqualTo("WAKE_REASON_" + reason);
        }
        for (StoreTrouble trouble : StoreTrouble.values()) {
            assertThat(RunProto.StoreTrouble.valueOf("STORE_TROUBLE_" + trouble).getNumber())
                    .isEqualTo(trouble.ordinal());
        }
    }

    @Test
    void instantsAndDurationsAreRoundedUpToMicroseconds() {
        assertThat(ValueWire.readInstant(ValueWire.write(Instant.EPOCH.plusNanos(1))))
                .isEqualTo(Instant.EPOCH.plusNanos(1_000));
        assertThat(ValueWire.readDuration(ValueWire.write(Duration.ofNanos(1)))).isEqualTo(Duration.ofNanos(1_000));
        assertThat(ValueWire.write(Duration.ofSeconds(Long.MAX_VALUE))).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void everyErrorHasItsCodeMessageAndTroubleOnTheOtherSide() {
        for (ErrorCode code : ErrorCode.values()) {
            DormouseException plain = new DormouseException(code, "Expected …, but \uD83D\uDC2D.");
            DormouseException arrived = arrived(plain);
            assertThat(arrived).isExactlyInstanceOf(DormouseException.class).hasMessage(plain.getMessage());
            assertThat(arrived.code()).isEqualTo(code);
        }
        for (StoreTrouble trouble : StoreTrouble.values()) {
            StoreException store = new StoreException(ErrorCode.STORE_FAILED, trouble, "Expected this.", null);
            assertThat(RandomRecords.describe(arrived(store))).isEqualTo(RandomRecords.describe(store));
        }
        assertThat(arrived(new IllegalStateException("a bug")).code()).isEqualTo(ErrorCode.STORE_FAILED);
        assertThat(arrived(new IllegalArgumentException("a wrong value")).code())
                .isEqualTo(ErrorCode.BAD_ARGUMENT);
        assertThat(arrived(new DormouseException(ErrorCode.STORE_FAILED, "half \uD83D" + "x".repeat(10_000)))
                        .getMessage())
                .startsWith("[DM2006] half ?x")
                .hasSizeLessThan(2_000);
    }

    private static DormouseException arrived(Throwable problem) {
        StatusRuntimeException status = ErrorWire.write(problem);
        return ErrorWire.read(status.getStatus(), status.getTrailers()).orElseThrow();
    }

    @Test
    void statusOfTheTransportIsNotAnErrorOfTheServer() {
        assertThat(ErrorWire.read(Status.UNAVAILABLE, null)).isEqualTo(Optional.empty());
    }

    @Test
    void malformedMessagesAreRefused() {
        assertBadArgument(() -> ValueWire.readId(ByteString.copyFrom(new byte[15])));
        assertBadArgument(() -> ValueWire.text("half \uD83D"));
        assertBadArgument(() -> RunWire.read(RunProto.CommitOutcome.getDefaultInstance()));
        assertBadArgument(() -> RunWire.read(RunWire.write(random.of(RunRow.class)).toBuilder()
                .setStatusValue(99)
                .build()));
    }

    private static void assertBadArgument(Runnable read) {
        assertThatThrownBy(read::run)
                .isInstanceOfSatisfying(
                        DormouseException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.BAD_ARGUMENT));
    }
}
