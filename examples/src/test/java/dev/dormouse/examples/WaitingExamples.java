package dev.dormouse.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.examples.approval.ApprovalExample;
import dev.dormouse.examples.approval.FixedApprovalExample;
import dev.dormouse.examples.auction.AuctionExample;
import dev.dormouse.examples.report.ReportExample;
import dev.dormouse.examples.subscription.SubscriptionExample;
import dev.dormouse.examples.ticket.TicketExample;
import dev.dormouse.examples.travel.TripExample;
import dev.dormouse.support.ProgramProcess;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The examples that wait for people, as a new user sees them, on any store. */
@Timeout(300)
abstract class WaitingExamples {
    @TempDir
    Path directory;

    /** Runs an example; the workflow is started when this returns. */
    abstract RunningExample open(Class<?> example, String duration) throws IOException;

    /**
     * A running example.
     *
     * @param starter the process that executes the workflow
     * @param updater the process that commands are typed into, which may be the same
     */
    record RunningExample(ProgramProcess starter, ProgramProcess updater) implements AutoCloseable {
        void type(String command) throws IOException {
            updater.type(command);
        }

        @Override
        public void close() {
            starter.close();
            updater.close();
        }
    }

    @Test
    void approvalIsTakenBeforeAFixedDeadline() throws Exception {
        try (RunningExample scene = open(FixedApprovalExample.class, "1h")) {
            scene.type("decision");
            scene.updater().awaitOutput("PENDING");
            scene.type("approve");
            scene.starter().awaitOutput("The result: APPROVED");
            assertThat(scene.starter().awaitExitCode()).isZero();
            assertThat(scene.starter().errors()).isEmpty();
        }
    }

    @Test
    void deadlineMovesLaterAndEarlier() throws Exception {
        try (RunningExample scene = open(ApprovalExample.class, "1h")) {
            scene.type("extend 2h");
            scene.type("deadline");
            scene.updater().awaitOutput("Until 2");
            scene.type("extend soon");
            scene.updater().awaitOutput("No: Expected a duration such as 30s");
            scene.type("extend 1s");
            scene.starter().awaitOutput("The result: REJECTED");
        }
    }

    @Test
    void reminderIsSentOnceAndTheReportIsStillCompleted() throws Exception {
        try (RunningExample scene = open(ReportExample.class, "6s")) {
            scene.starter().awaitOutput("Reminder: where is the report on dormice");
            scene.type("late");
            scene.updater().awaitOutput("It is late");
            scene.starter().awaitOutput("The result: All about dormice");
            assertThat(scene.starter().output()).containsOnlyOnce("Reminder");
        }
    }

    @Test
    void highestBidWins() throws Exception {
        try (RunningExample scene = open(AuctionExample.class, "10s")) {
            scene.type("bid ada 120");
            scene.type("bid bob 120");
            scene.type("bid eve -1");
            scene.updater().awaitOutput("(?s)amount=120.*amount=120.*No: \\[DM3010\\].*more than nothing");
            scene.starter().awaitOutput("The winner: Bid\\[bidder=ada, amount=120\\]");
        }
    }

    @Test
    void escalationIsPostponedWithinThePolicy() throws Exception {
        try (RunningExample scene = open(TicketExample.class, "1h")) {
            scene.type("postpone 2h lunch");
            scene.updater().awaitOutput("Postponed");
            scene.type("postpone 90m impatience");
            scene.updater().awaitOutput("No: .*only be moved to a later instant");
            scene.type("postponements");
            scene.updater().awaitOutput("(?s) lunch: until .* impatience: until .*later instant");
            scene.type("resolve");
            scene.starter().awaitOutput("Resolved by support");
        }
    }

    @Test
    void leadIsPagedAtTheDeadline() throws Exception {
        try (RunningExample scene = open(TicketExample.class, "1s")) {
            scene.starter().awaitOutput("To the lead: No coffee!");
            scene.type("resolve");
            scene.starter().awaitOutput("Resolved by the lead");
        }
    }

    @Test
    void gracePeriodIsExtendedFromOutside() throws Exception {
        try (RunningExample scene = open(SubscriptionExample.class, "1h")) {
            scene.starter().awaitOutput("To ada: please pay until");
            scene.type("grant 3d");
            scene.updater().awaitOutput("Granted");
            scene.type("grant 1s");
            scene.starter().awaitOutput("(?s)To ada: your subscription is suspended.*The result: SUSPENDED");
        }
    }

    @Test
    void tripWithoutACarIsCompensated() throws Exception {
        try (RunningExample scene = open(TripExample.class, "1s")) {
            scene.starter()
                    .awaitOutput(
                            "(?s)Booked a flight for ada.*Booked a hotel for ada.*Cancelled hotel H1 of ada, 3 nights"
                                    + ".*Cancelled flight F1 of ada.*No trip: \\[DM3004\\].*there is no car left");
            assertThat(scene.starter().awaitExitCode()).isZero();
        }
    }

    @Test
    void cancelledTripIsCompensated() throws Exception {
        try (RunningExample scene = open(TripExample.class, "1h")) {
            scene.starter().awaitOutput("Booked a hotel for ada");
            scene.type("cancel");
            scene.starter()
                    .awaitOutput(
                            "(?s)Cancelled hotel H1.*Cancelled flight F1.*No trip: \\[DM3009\\].*ada stays at home");
        }
    }
}
