package dev.dormouse.examples.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.examples.webhook.HttpSender.Answer;
import dev.dormouse.testing.DormouseExtension;
import dev.dormouse.testing.TestDormouse;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class DeliveryTest {
    private static final URI RECEIVER = URI.create("http://receiver/events");

    private final Deque<Answer> answers = new ArrayDeque<>();
    private final List<String> keys = new ArrayList<>();

    @RegisterExtension
    final DormouseExtension kit = DormouseExtension.of(
            builder -> builder.workflow(Delivery.class, () -> new DeliveryWorkflow(Duration.ofSeconds(10)))
                    .activities(Sender.class, new HttpSender(this::answer)));

    private Answer answer(URI receiver, String key, String body) throws IOException {
        keys.add(key);
        if (answers.isEmpty()) {
            throw new IOException("nobody listens");
        }
        return answers.remove();
    }

    private static String deliver(TestDormouse test) {
        return test.dormouse().workflow(Delivery.class, "delivery").deliver(RECEIVER, "paid");
    }

    @Test
    void failureIsRepeatedUnderTheSameKey(TestDormouse test) {
        answers.addAll(List.of(new Answer(503, 0), new Answer(500, 0), new Answer(204, 0)));
        assertThat(deliver(test)).isEqualTo("DELIVERED");
        assertThat(keys).hasSize(3);
        assertThat(keys.stream().distinct()).hasSize(1);
        assertThat(test.elapsed()).isEqualTo(Duration.ofSeconds(10 + 40));
    }

    @Test
    void receiverChoosesThePause(TestDormouse test) {
        answers.addAll(List.of(new Answer(429, 7_200), new Answer(200, 0)));
        assertThat(deliver(test)).isEqualTo("DELIVERED");
        assertThat(test.elapsed()).isEqualTo(Duration.ofHours(2));
    }

    @Test
    void refusedRequestIsNotRepeated(TestDormouse test) {
        answers.add(new Answer(410, 0));
        assertThat(deliver(test)).startsWith("GAVE UP after 1: ").endsWith("status 410");
    }

    @Test
    void deliveryGivesUpAfterTenAttempts(TestDormouse test) {
        assertThat(deliver(test)).startsWith("GAVE UP after 10: No answer from http://receiver/events");
        assertThat(test.elapsed()).isGreaterThan(Duration.ofHours(20));
    }
}
