package dev.dormouse.store;

import static dev.dormouse.store.Samples.SHARD;
import static dev.dormouse.store.Samples.leased;
import static dev.dormouse.store.Samples.pending;
import static dev.dormouse.store.Samples.replacing;
import static dev.dormouse.store.Samples.signal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.store.page.RunFilter;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.Start;
import dev.dormouse.store.run.StartOutcome;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A start of a workflow id that was started before. */
interface StartAgainContract extends ContractWords {

    @Test
    default void sameStartAgainFindsItsOwnRunAndChangesNothing() {
        Start start = leased("a");
        started(start);
        RunRow row = row(start.runId());
        tick();
        assertThat(start(start)).isEqualTo(new StartOutcome.Exists(row));
        assertThat(row(start.runId())).isEqualTo(row);
        assertThat(history(start.runId())).hasSize(1);
    }

    @Test
    default void sameStartAgainFindsItsOwnRunEvenAfterItClosed() {
        Start start = replacing(leased("a"), RunStatus.COMPLETED);
        started(start);
        Held held = Held.of(row(start.runId()));
        committed(held.close());
        assertThat(start(start)).isEqualTo(new StartOutcome.Exists(row(start.runId())));
        assertThat(store().current(SHARD, "a")).contains(row(start.runId()));
    }

    @Test
    default void sameStartAgainFindsItsOwnRunEvenAfterAnotherRunReplacedIt() {
        Start first = replacing(leased("a"), RunStatus.COMPLETED);
        started(first);
        committed(Held.of(row(first.runId())).close());
        Start second = replacing(leased("a"), RunStatus.COMPLETED);
        started(second);
        assertThat(start(first)).isEqualTo(new StartOutcome.Exists(row(first.runId())));
        committed(Held.of(row(second.runId())).close());
        assertThat(start(first)).isEqualTo(new StartOutcome.Exists(row(first.runId())));
        assertThat(store().current(SHARD, "a").orElseThrow().runId()).isEqualTo(second.runId());
    }

    @Test
    default void workflowIdThatIsTakenByAnOpenRunReturnsThatRun() {
        Held held = held("a");
        Start another = replacing(leased("a"), RunStatus.values());
        assertThat(start(another)).isInstanceOf(StartOutcome.Exists.class);
        assertThat(((StartOutcome.Exists) start(leased("a"))).run()).isEqualTo(row(held.runId()));
        assertThat(store().run(SHARD, another.runId())).isEmpty();
        assertThat(history(another.runId())).isEmpty();
    }

    @Test
    default void closedRunIsReturnedUnlessItsStatusMayBeReplaced() {
        Held old = closed("a", RunStatus.COMPLETED);
        RunRow row = row(old.runId());
        assertThat(start(leased("a"))).isEqualTo(new StartOutcome.Exists(row));
        assertThat(start(replacing(leased("a"), RunStatus.FAILED, RunStatus.TIMED_OUT)))
                .isEqualTo(new StartOutcome.Exists(row));
        assertThat(row(old.runId())).isEqualTo(row);
    }

    @Test
    default void newRunTakesThePlaceOfAClosedOneThatMayBeReplaced() {
        Held old = closed("a", RunStatus.FAILED);
        RunRow row = row(old.runId());
        Start start = replacing(pending("a"), RunStatus.FAILED);
        started(start);
        assertThat(store().current(SHARD, "a").orElseThrow().runId()).isEqualTo(start.runId());
        assertThat(row(old.runId())).isEqualTo(row);
        assertThat(history(old.runId())).hasSize(2);
        assertThat(start(leased("a"))).isEqualTo(new StartOutcome.Exists(row(start.runId())));
    }

    @Test
    default void eachClosedStatusCanBeReplacedByItself() {
        for (RunStatus status : RunStatus.values()) {
            if (status.isClosed()) {
                closed("wf-" + status, status);
                started(replacing(leased("wf-" + status), status));
            }
        }
    }

    @Test
    default void replacingRunContinuesTheMailCounterOfItsWorkflowId() {
        Held old = held("a");
        accepted(signal("a", "k1"));
        accepted(signal("a", "k2"));
        committed(Held.consuming(old.close(), 2));
        Start start = replacing(pending("a"), RunStatus.COMPLETED);
        started(start);
        assertThat(row(start.runId()).mail()).isEqualTo(2);
        assertThat(row(start.runId()).consumed()).isEqualTo(2);
        assertThat(accepted(signal("a", "k3")).position()).isEqualTo(3);
    }

    @Test
    default void replacingRunDoesNotGetMailThatWasMeantForTheOldOne() {
        Held old = held("a");
        accepted(signal("a", "k1"));
        committed(old.commit(Samples.events(1), NextState.closed(RunStatus.TERMINATED)));
        Start start = replacing(pending("a"), RunStatus.TERMINATED);
        started(start);
        assertThat(row(start.runId()).consumed()).isEqualTo(1);
        assertThat(row(start.runId()).mail()).isEqualTo(1);
    }

    @Test
    default void manyGenerationsOfAWorkflowIdAreAllKept() {
        for (int i = 0; i < 20; i++) {
            Start start = replacing(leased("a"), RunStatus.CONTINUED);
            started(start);
            Held held = Held.of(row(start.runId()));
            committed(held.commit(Samples.events(1), NextState.closed(RunStatus.CONTINUED)));
        }
        RunFilter all = new RunFilter("a", null, Set.of());
        assertThat(store().list(SHARD, all, Optional.empty(), 100).runs()).hasSize(20);
    }

    @Test
    default void startsOfOneBatchAreIndependentOfEachOther() {
        held("open");
        closed("closed", RunStatus.COMPLETED);
        List<StartOutcome> outcomes = store().start(
                        SHARD,
                        List.of(
                                leased("z"),
                                leased("open"),
                                replacing(leased("closed"), RunStatus.COMPLETED),
                                leased("b")));
        assertThat(outcomes.get(0)).isInstanceOf(StartOutcome.Started.class);
        assertThat(outcomes.get(1)).isInstanceOf(StartOutcome.Exists.class);
        assertThat(outcomes.get(2)).isInstanceOf(StartOutcome.Started.class);
        assertThat(outcomes.get(3)).isInstanceOf(StartOutcome.Started.class);
    }
}
