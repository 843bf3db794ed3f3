package dev.dormouse.examples.auction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.examples.auction.Auction.Bid;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AuctionTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private final Dormouse dormouse = Dormouse.builder()
            .store("sqlite::memory:")
            .workflow(Auction.class, () -> new AuctionWorkflow(HOUR))
            .open();
    private final Auction auction = dormouse.workflow(Auction.class, "auction");

    @AfterEach
    void close() {
        dormouse.close();
    }

    @Test
    void lateBidMovesTheEndToTheLimitAndNoFurther() {
        Instant closing = Instant.now().plusSeconds(3);
        Instant limit = closing.plusSeconds(1);
        WorkflowHandle<Bid> handle = dormouse.start(() -> auction.run(closing, limit));
        assertThat(auction.bid("ada", 120)).isEqualTo(new Bid("ada", 120));
        assertThat(auction.bid("bob", 110)).isEqualTo(new Bid("ada", 120));
        assertThat(auction.bid("bob", 120)).isEqualTo(new Bid("ada", 120));
        assertThat(handle.result()).isEqualTo(new Bid("ada", 120));
        assertThat(handle.describe().closedAt().orElseThrow()).isAfterOrEqualTo(limit);
    }

    @Test
    void bidAfterTheEndIsRefused() {
        Instant closing = Instant.now();
        WorkflowHandle<Bid> handle = dormouse.start(() -> auction.run(closing, closing));
        assertThat(handle.result()).isEqualTo(Bid.NONE);
        assertThat(catchThrowableOfType(DormouseException.class, () -> auction.bid("ada", 120))
                        .code())
                .isEqualTo(ErrorCode.RUN_CLOSED);
    }
}
