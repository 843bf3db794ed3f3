package dev.dormouse.examples.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.QueueOptions;
import dev.dormouse.testing.DormouseExtension;
import dev.dormouse.testing.TestDormouse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SyncTest {
    private final List<String> sent = new ArrayList<>();

    @RegisterExtension
    final DormouseExtension kit = DormouseExtension.of(builder -> builder.workflow(Sync.class, SyncWorkflow::new)
            .activities(Service.class, this::send)
            .queue(SyncWorkflow.QUEUE, QueueOptions.DEFAULT.withRatePerKey(1, Duration.ofMinutes(1))));

    private String send(String customer, int request) {
        sent.add(customer + request);
        return "ok";
    }

    @Test
    void busyCustomerWaitsAndDelaysNoOther(TestDormouse test) {
        Sync ada = test.dormouse().workflow(Sync.class, "ada");
        Sync bob = test.dormouse().workflow(Sync.class, "bob");
        test.dormouse().start(() -> ada.sync("ada", 30));
        test.advance(Duration.ofSeconds(10));
        assertThat(bob.sync("bob", 1)).isEqualTo(1);
        assertThat(sent).hasSize(2).element(1).isEqualTo("bob0");
        assertThat(test.elapsed()).isLessThan(Duration.ofMinutes(1));
    }

    @Test
    void waitingRequestsSurviveACrashAndNoneIsSentTwice(TestDormouse test) {
        Sync ada = test.dormouse().workflow(Sync.class, "ada");
        test.dormouse().start(() -> ada.sync("ada", 30));
        test.advance(Duration.ofMinutes(7));
        test.restart();
        assertThat(test.dormouse().handle("ada", Integer.class).result()).isEqualTo(30);
        assertThat(sent).hasSize(30).doesNotHaveDuplicates();
        assertThat(test.elapsed()).isBetween(Duration.ofMinutes(29), Duration.ofMinutes(31));
    }
}
