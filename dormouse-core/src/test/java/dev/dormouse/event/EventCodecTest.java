package dev.dormouse.event;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.codec.JacksonCodec;
import dev.dormouse.codec.Payload;
import dev.dormouse.codec.PayloadCodec;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Events that a node cannot decode, which must still reach the runs that wait for them. */
class EventCodecTest {
    private static final class Secret implements PayloadCodec {
        private final PayloadCodec plain = new JacksonCodec();

        @Override
        public Payload encode(@Nullable Object value) {
            byte[] bytes = plain.encode(value).bytes().clone();
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] ^= 0x55;
            }
            return new Payload("secret", bytes);
        }

        @Override
        public @Nullable Object decode(Payload payload, Type type) {
            if (!payload.encoding().equals("secret")) {
                throw new DormouseException(ErrorCode.PAYLOAD_DOES_NOT_FIT, "Expected a secret, but got none.");
            }
            byte[] bytes = payload.bytes().clone();
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] ^= 0x55;
            }
            return plain.decode(new Payload(plain.encode("").encoding(), bytes), type);
        }
    }

    @Test
    void eventThatANodeCannotReadIsLeftToOtherNodes() {
        simulate(sim -> {
            UnaryOperator<DormouseBuilder> setUp = builder -> builder.codec(new Secret())
                    .workflow(
                            "w",
                            String.class,
                            String.class,
                            (ctx, id) -> ctx.waitForEvent("paid", Map.of("id", id), Duration.ofDays(1))
                                    .map(event -> "got it")
                                    .orElse("nothing"));
            Dormouse one = sim.open(setUp);
            sim.open(builder -> builder); // another service on the same database, such as one with timers only
            one.start("w", "w-1", String.class, "17");
            sim.advance(Duration.ofMinutes(1));
            one.publish("paid", Map.of("id", "17"));
            sim.kill(one);
            sim.advance(Duration.ofMinutes(5));
            Dormouse again = sim.open(setUp);
            assertThat(sim.result(again.find("w-1", String.class).orElseThrow()))
                    .isEqualTo("got it");
        });
    }
}
