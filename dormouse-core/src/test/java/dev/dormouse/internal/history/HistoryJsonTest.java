package dev.dormouse.internal.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.codec.Payload;
import dev.dormouse.internal.history.json.HistoryJson;
import dev.dormouse.internal.history.json.SavedHistory;
import dev.dormouse.store.run.InboxMessage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Round trips of histories through JSON. In this package because the random events are. */
class HistoryJsonTest {
    private static final Instant AT = Instant.parse("2026-03-01T10:00:00Z");

    private static void assertComesBack(List<Event> events) {
        SavedHistory history = new SavedHistory("w", new UUID(1, 2), events);
        String json = HistoryJson.write(history);
        SavedHistory read = HistoryJson.read(json, "a test");
        assertThat(EventCodec.encode(read.events())).isEqualTo(EventCodec.encode(events));
        assertThat(read.workflowId() + read.runId()).isEqualTo(history.workflowId() + history.runId());
        assertThat(HistoryJson.write(read)).isEqualTo(json);
    }

    private static Event.RunStarted started(Payload... input) {
        return new Event.RunStarted(AT, "t", List.of(input), null, null, Map.of(), Origin.NONE);
    }

    @Test
    void everyKindOfEventIsReadAsItWasWritten() {
        for (long seed = 0; seed < 1_000; seed++) {
            RandomEvents random = new RandomEvents(seed);
            List<Event> events = new ArrayList<>(List.of(random.event(0)));
            for (int kind = 1; kind < RandomEvents.KINDS; kind++) {
                Event event = random.event(kind);
                if (!event.isClosing()) {
                    events.add(event);
                }
            }
            events.add(random.event(9 + (int) (seed % 6)));
            assertComesBack(events);
        }
    }

    @Test
    void everyKindOfMessageIsReadAsItWasWritten() {
        for (long seed = 0; seed < 500; seed++) {
            RandomEvents random = new RandomEvents(seed);
            List<InboxMessage> items = new ArrayList<>();
            for (int kind : new int[] {1, 2, 3, 4, 5, 6, 7, 8, 11, 12}) {
                items.add(new InboxMessage(kind, "k", kind, AT, MessageCodec.encode(random.message(kind))));
                items.add(random.mail());
            }
            Origin origin = Origin.NONE.with(items).with(new Origin.Debounce(Duration.ofMillis(1), Duration.ofDays(9)));
            assertComesBack(List.of(
                    new Event.RunStarted(AT, "t", List.of(), AT, AT, Map.of("a", "b"), origin),
                    new Event.MailReceived(AT, items)));
        }
    }

    /** Whatever claims to be JSON, and is or is not. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "\"text\"",
                "1",
                "1.0",
                "1.10",
                "1e5",
                "1E+5",
                "-0",
                "-0.0",
                "1e400",
                "123456789012345678901234567890",
                "{}",
                "[]",
                "{\"a\":1}",
                "{ \"a\" : 1 }",
                "{\"a\":1,\"a\":2}",
                "{\"b\":[1,2.50,{\"c\":null}],\"a\":true}",
                "\"\\u00e4\"",
                "\"ä€\"",
                "\"\\ud800\"",
                "\"\\/\"",
                "NaN",
                "",
                " ",
                "{",
                "1 2",
                "// no",
                "{\"kind\":\"Signal\",\"json\":{\"base64\":\"x\"}}"
            })
    void jsonPayloadsKeepEveryByte(String text) {
        Payload payload = new Payload("json", text.getBytes(StandardCharsets.UTF_8));
        assertComesBack(List.of(started(payload), new Event.RunCompleted(AT, payload)));
    }

    @Test
    void randomJsonKeepsEveryByte() {
        Random random = new Random(5);
        String alphabet = "{}[]\",:0123456789.eE+-truefalsn \\u";
        for (int i = 0; i < 200; i++) {
            Payload[] payloads = new Payload[100];
            for (int j = 0; j < payloads.length; j++) {
                StringBuilder text = new StringBuilder();
                for (int length = random.nextInt(12); length >= 0; length--) {
                    text.append(alphabet.charAt(random.nextInt(alphabet.length())));
                }
                payloads[j] = new Payload("json", text.toString().getBytes(StandardCharsets.UTF_8));
            }
            assertComesBack(List.of(started(payloads), new Event.RunCompleted(AT, payloads[0])));
        }
    }

    @Test
    void deepAndLongPayloadsComeBack() {
        for (int depth : List.of(10, 450, 499, 500, 501, 1_000, 5_000)) {
            jsonPayloadsKeepEveryByte("[".repeat(depth) + "]".repeat(depth));
        }
        jsonPayloadsKeepEveryByte("\"" + "x".repeat(3_000_000) + "\"");
        jsonPayloadsKeepEveryByte("9".repeat(5_000));
        jsonPayloadsKeepEveryByte("{\"" + "k".repeat(200_000) + "\":1}");
    }

    @Test
    void jsonIsReadable() {
        Payload ada = new Payload("json", "{\"name\":\"Ada\",\"age\":36}".getBytes(StandardCharsets.UTF_8));
        Message signal = new Message.Signal("greet", List.of(ada));
        String json = HistoryJson.write(new SavedHistory(
                "greeting-ada",
                new UUID(0, 7),
                List.of(
                        started(ada),
                        new Event.MailReceived(
                                AT,
                                List.of(new InboxMessage(1, "key", signal.kind(), AT, MessageCodec.encode(signal)))),
                        new Event.RunCompleted(AT, new Payload("secret", new byte[] {1, 2, 3})))));
        assertThat(json)
                .contains("\"workflowId\" : \"greeting-ada\"")
                .contains("\"kind\" : \"RunStarted\"")
                .contains("\"at\" : \"2026-03-01T10:00:00Z\"")
                .contains("\"name\" : \"Ada\"")
                .contains("\"kind\" : \"Signal\"")
                .contains("\"encoding\" : \"secret\"")
                .contains("\"base64\" : \"AQID\"")
                .doesNotContain("deadline");
    }
}
