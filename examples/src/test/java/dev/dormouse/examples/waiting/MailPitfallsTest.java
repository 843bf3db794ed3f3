package dev.dormouse.examples.waiting;

import static dev.dormouse.examples.waiting.WaitingNodes.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.dormouse.Dormouse;
import dev.dormouse.QueryMethod;
import dev.dormouse.SignalMethod;
import dev.dormouse.UpdateMethod;
import dev.dormouse.UpdateValidatorMethod;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.UpdateFailedException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Pitfalls of signals, queries and updates. docs/waiting.md quotes the workflows. */
@Timeout(120)
class MailPitfallsTest {

    @WorkflowInterface
    interface Poll {
        @WorkflowMethod
        int execute();

        @SignalMethod
        void close();

        @SignalMethod
        void vote();

        @UpdateMethod
        int castVote();

        @QueryMethod
        int votes();

        @QueryMethod
        int nextNumber();
    }

    static class PollWorkflow implements Poll {
        private boolean closed;
        private int votes;
        private int number;

        @Override
        public int execute() {
            Workflow.await(() -> closed);
            return votes;
        }

        @Override
        public void close() {
            closed = true;
        }

        @Override
        public void vote() { // a signal
            votes++; // may run after execute() has returned
        }

        @Override
        public int castVote() { // an update
            if (closed) {
                throw new IllegalStateException("The poll is closed.");
            }
            return ++votes;
        }

        @Override
        public int votes() {
            return votes;
        }

        @Override
        public int nextNumber() { // a query
            return ++number; // lost
        }
    }

    @Test
    void signalThatIsAcceptedAfterTheReturnIsHandledButDoesNotCount(@TempDir Path directory) {
        Path file = directory.resolve("poll.db");
        try (Dormouse worker = WaitingNodes.worker(file, Poll.class, PollWorkflow::new)) {
            Poll poll = worker.workflow(Poll.class, "poll");
            WaitingNodes.awaitPause(worker.start(poll::execute));
        }
        try (Dormouse client = WaitingNodes.client(file, Poll.class)) { // while no node has the code
            Poll poll = client.workflow(Poll.class, "poll");
            poll.close();
            poll.vote();
            assertThat(codeOf(client)).isEqualTo(ErrorCode.NOT_ANSWERED);
        }
        try (Dormouse worker = WaitingNodes.worker(file, Poll.class, PollWorkflow::new)) {
            assertThat(worker.workflow(Poll.class, "poll").execute()).isZero();
            assertThat(worker.workflow(Poll.class, "poll").votes()).isEqualTo(1);
            assertThat(codeOf(worker)).isEqualTo(ErrorCode.UPDATE_FAILED); // the same update, with its answer
        }
    }

    private static ErrorCode codeOf(Dormouse dormouse) {
        WorkflowHandle<Integer> handle = dormouse.find("poll", Integer.class).orElseThrow();
        Duration briefly = Duration.ofMillis(500);
        return catchThrowableOfType(
                        DormouseException.class,
                        () -> handle.updateOnce("ada's vote", briefly, "castVote", Integer.class))
                .code();
    }

    @Test
    void writesOfAQueryAreLost() {
        try (Dormouse dormouse = WaitingNodes.inMemory(Poll.class, PollWorkflow::new)) {
            Poll poll = dormouse.workflow(Poll.class, "poll");
            WorkflowHandle<Integer> handle = dormouse.start(poll::execute);
            assertThat(poll.nextNumber()).isEqualTo(1);
            assertThat(poll.nextNumber()).isEqualTo(1);
            poll.close();
            assertThat(handle.result(PATIENCE)).isZero();
        }
    }

    @WorkflowInterface
    interface Account {
        @WorkflowMethod
        int collect(int wanted);

        @SignalMethod
        void pay(int amount);

        @UpdateMethod
        int deposit(int amount);

        @UpdateValidatorMethod(update = "deposit")
        void checkDeposit(int amount);

        @QueryMethod
        int paid();
    }

    static class AccountWorkflow implements Account {
        private int paid;

        @Override
        public int collect(int wanted) {
            Workflow.await(() -> paid >= wanted);
            return paid;
        }

        @Override
        public void pay(int amount) { // a signal: its sender never sees the exception
            paid += amount; // stays
            if (amount <= 0) {
                throw new IllegalArgumentException("A payment is more than nothing.");
            }
        }

        @Override
        public void checkDeposit(int amount) { // before anything has changed
            if (amount <= 0) {
                throw new IllegalArgumentException("A deposit is more than nothing.");
            }
        }

        @Override
        public int deposit(int amount) { // an update: who asks gets the answer
            paid += amount;
            return paid;
        }

        @Override
        public int paid() {
            return paid;
        }
    }

    @Test
    void throwingHandlerFailsNothingElseAndUndoesNothing() {
        String log = WaitingNodes.logOf(() -> {
            try (Dormouse dormouse = WaitingNodes.inMemory(Account.class, AccountWorkflow::new)) {
                Account account = dormouse.workflow(Account.class, "ada");
                WorkflowHandle<Integer> handle = dormouse.start(() -> account.collect(10));
                account.pay(-5);
                await().atMost(PATIENCE).until(() -> account.paid() == -5);
                assertThatThrownBy(() -> account.deposit(-5))
                        .isInstanceOf(UpdateFailedException.class)
                        .hasMessageContaining("A deposit is more than nothing.");
                assertThat(account.deposit(15)).isEqualTo(10);
                assertThat(handle.result(PATIENCE)).isEqualTo(10);
            }
        });
        assertThat(log).contains("[DM4007] Expected the handler of signal 'pay'");
    }
}
