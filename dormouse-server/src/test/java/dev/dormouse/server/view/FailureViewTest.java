package dev.dormouse.server.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.codec.JacksonCodec;
import dev.dormouse.codec.Payload;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.Failure;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Failures as the API shows them. */
class FailureViewTest {
    private static Failure with(Payload details) {
        return new Failure("CardDeclined", "not today", "", null, details);
    }

    private static Value shown(Failure failure) {
        Map<String, Object> event = EventDetail.of(new Event.RunFailed(Instant.EPOCH, failure));
        return ((FailureView) event.get("failure")).details();
    }

    @Test
    void detailsAreShownAsJsonUnlessOnlyACodecCanReadThem() {
        Payload details = new JacksonCodec().encode(Map.of("limit", 500));
        assertThat(((Value.Json) shown(with(details))).json().toString()).isEqualTo("{\"limit\":500}");
        assertThat(shown(with(new Payload("secret", new byte[] {1, 2})))).isEqualTo(new Value.Opaque(2, "secret"));
        assertThat(shown(new Failure("CardDeclined", "not today", "", null))).isNull();
    }

    @Test
    void failureWithoutDetailsHasNoFieldForThem() {
        assertThat(Value.MAPPER.writeValueAsString(FailureView.of("terminated", "enough")))
                .isEqualTo("{\"type\":\"terminated\",\"message\":\"enough\"}");
    }
}
