package dev.dormouse.internal.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class MessageCodecTest {
    private static final int[] KINDS = {1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12};

    @Test
    void everyMessageComesBackAsItWas() {
        for (long seed = 0; seed < 200; seed++) {
            RandomEvents random = new RandomEvents(seed);
            for (int kind : KINDS) {
                Message message = random.message(kind);
                assertThat(message.kind()).isEqualTo(kind);
                assertThat(MessageCodec.decode(kind, MessageCodec.encode(message)))
                        .isEqualTo(message);
            }
        }
        assertThat(Message.class.getPermittedSubclasses()).hasSize(KINDS.length - 2); // StartRun has three
    }

    @Test
    void cutMessagesAreDamageAndUnknownKindsAreTooNew() {
        for (int kind : KINDS) {
            byte[] whole = MessageCodec.encode(new RandomEvents(3).message(kind));
            for (int length = 0; length < Math.min(whole.length, 300); length++) {
                int wanted = kind;
                byte[] cut = Arrays.copyOf(whole, length);
                DormouseException problem =
                        catchThrowableOfType(DormouseException.class, () -> MessageCodec.decode(wanted, cut));
                assertThat(problem).isNotNull();
                assertThat(problem.code()).isEqualTo(ErrorCode.HISTORY_DAMAGED);
            }
        }
        byte[] signal = MessageCodec.encode(new RandomEvents(3).message(1));
        assertThat(catchThrowableOfType(DormouseException.class, () -> MessageCodec.decode(99, signal))
                        .code())
                .isEqualTo(ErrorCode.HISTORY_TOO_NEW);
    }
}
