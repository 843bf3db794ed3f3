package dev.dormouse.examples.auction;

import dev.dormouse.Dormouse;
import dev.dormouse.IdReuse;
import dev.dormouse.StartOptions;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.examples.auction.Auction.Bid;
import dev.dormouse.examples.terminal.Command;
import dev.dormouse.examples.terminal.Terminal;
import java.time.Duration;
import java.time.Instant;

/**
 * An auction that takes bids such as {@code bid ada 120}; {@code leader} returns the leading bid. A bid in the last
 * tenth of the time moves the end, up to twice the time. See {@link Terminal}.
 */
public final class AuctionExample {
    private static final String ID = "auction-1";
    private static final StartOptions ANEW = StartOptions.DEFAULT.withIdReuse(IdReuse.START_NEW);

    private AuctionExample() {}

    public static void main(String[] args) {
        Terminal.run(args, "sqlite:auction.db", Duration.ofMinutes(1), AuctionExample::start, AuctionExample::update);
    }

    private static void start(Terminal terminal) {
        Duration length = terminal.duration();
        try (Dormouse dormouse = Dormouse.builder()
                .store(terminal.store())
                .workflow(Auction.class, () -> new AuctionWorkflow(length.dividedBy(10)))
                .open()) {
            Auction auction = dormouse.workflow(Auction.class, ID, ANEW);
            Instant closing = Instant.now().plus(length);
            WorkflowHandle<Bid> handle = dormouse.start(() -> auction.run(closing, closing.plus(length)));
            terminal.say("Waiting. You can: bid ada 120, leader");
            terminal.obey(command -> obey(auction, command));
            terminal.say("The winner: " + handle.result());
        }
    }

    /** Sends commands: this process has the interface of the workflow, but not its code. */
    private static void update(Terminal terminal) {
        try (Dormouse dormouse = Dormouse.builder()
                .store(terminal.store())
                .remoteWorkflow(Auction.class)
                .open()) {
            Auction auction = dormouse.workflow(Auction.class, ID);
            terminal.say("Ready. You can: bid ada 120, leader");
            terminal.obey(command -> obey(auction, command));
        }
    }

    private static Object obey(Auction auction, Command command) {
        return switch (command.name()) {
            case "bid" -> "The leader: " + auction.bid(command.word(1), command.number(2));
            case "leader" -> "The leader: " + auction.leader();
            default -> throw command.unknown("bid", "leader");
        };
    }
}
