package dev.dormouse.internal.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.store.run.InboxMessage;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EventCodecTest {
    private static void assertRefused(byte[] bytes, String what) {
        Throwable problem = catchThrowable(() -> EventCodec.decode(bytes));
        if (problem != null) {
            assertThat(problem).as(what).isInstanceOf(DormouseException.class);
            assertThat(((DormouseException) problem).code())
                    .as(what)
                    .isIn(ErrorCode.HISTORY_DAMAGED, ErrorCode.HISTORY_TOO_NEW);
            assertThat(problem.getMessage()).contains("Expected").contains(", but");
        }
    }

    /** Inbox items are compared by their bytes, because their records compare arrays by identity. */
    private static void assertComesBack(List<Event> events) {
        byte[] bytes = EventCodec.encode(events);
        List<Event> back = EventCodec.decode(bytes);
        assertThat(EventCodec.encode(back)).isEqualTo(bytes);
        for (int i = 0; i < events.size(); i++) {
            if (!(events.get(i) instanceof Event.RunStarted started
                    && started.origin().hasUpdate())) {
                assertThat(back.get(i)).isEqualTo(events.get(i));
            }
        }
    }

    @Test
    void everyEventComesBackAsItWas() {
        for (long seed = 0; seed < 300; seed++) {
            RandomEvents random = new RandomEvents(seed);
            for (int kind = 0; kind < RandomEvents.KINDS; kind++) {
                assertComesBack(List.of(random.event(kind)));
            }
            assertComesBack(random.list(20));
        }
    }

    @Test
    void thereIsARandomEventOfEveryKind() {
        RandomEvents random = new RandomEvents(1);
        List<Class<?>> made = new java.util.ArrayList<>();
        for (int kind = 0; kind < RandomEvents.KINDS; kind++) {
            made.add(random.event(kind).getClass());
        }
        assertThat(made).containsExactlyInAnyOrder(Event.class.getPermittedSubclasses());
    }

    @Test
    void mailComesBackAsItWas() {
        for (long seed = 0; seed < 300; seed++) {
            RandomEvents random = new RandomEvents(seed);
            List<InboxMessage> items = List.of(random.mail(), random.mail());
            Event event = new Event.MailReceived(Instant.EPOCH, items);
            Event.MailReceived back = (Event.MailReceived)
                    EventCodec.decode(EventCodec.encode(List.of(event))).get(0);
            for (int i = 0; i < items.size(); i++) {
                assertThat(back.items().get(i).payload()).isEqualTo(items.get(i).payload());
                assertThat(back.items().get(i).position())
                        .isEqualTo(items.get(i).position());
                assertThat(back.items().get(i).key()).isEqualTo(items.get(i).key());
                assertThat(back.items().get(i).kind()).isEqualTo(items.get(i).kind());
                assertThat(back.items().get(i).acceptedAt())
                        .isEqualTo(items.get(i).acceptedAt());
            }
        }
    }

    @Test
    void loneSurrogatesInAFailureAreReplaced() {
        for (String text : List.of("\uD800", "a\uDC00b", "\uDC00\uD800", "\uD834\uDD1E\uD834")) {
            Failure odd = new Failure("T", text, text, null);
            List<Event> events = EventCodec.decode(EventCodec.encode(List.of(new Event.RunFailed(Instant.EPOCH, odd))));
            String kept = ((Event.RunFailed) events.get(0)).failure().message();
            assertThat(kept).isEqualTo(text.replaceAll("[\uD800-\uDFFF]", "?"));
        }
    }

    @Test
    void emptyListOfEventsComesBackEmpty() {
        assertThat(EventCodec.decode(EventCodec.encode(List.of()))).isEmpty();
    }

    @Test
    void truncatedEventsAreDamage() {
        for (long seed = 0; seed < 50; seed++) {
            List<Event> events = new RandomEvents(seed).list(3);
            byte[] whole = EventCodec.encode(events);
            for (int length = 0; length < Math.min(whole.length, 600); length++) {
                byte[] cut = Arrays.copyOf(whole, length);
                assertRefused(cut, "seed " + seed + " cut to " + length);
                if (catchThrowable(() -> EventCodec.decode(cut)) == null) {
                    // cut between two events, which only the row's count and checksum detect
                    assertThat(EventCodec.decode(cut)).isNotEqualTo(events);
                }
            }
        }
    }

    @Test
    void randomBytesAreRefusedOrReadButNeverAnythingElse() {
        Random random = new Random(7);
        for (int i = 0; i < 200_000; i++) {
            byte[] bytes = new byte[random.nextInt(60)];
            random.nextBytes(bytes);
            if (bytes.length > 0 && i % 2 == 0) {
                bytes[0] = 1;
            }
            if (bytes.length > 1 && i % 4 == 0) {
                bytes[1] = (byte) random.nextInt(15);
            }
            assertRefused(bytes, Arrays.toString(bytes));
        }
    }

    @Test
    void flippedBitsAreRefusedOrReadButNeverAnythingElse() {
        Random random = new Random(9);
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = EventCodec.encode(new RandomEvents(i).list(2));
            int bit = random.nextInt(bytes.length * 8);
            bytes[bit / 8] ^= (byte) (1 << bit % 8);
            assertRefused(bytes, "seed " + i + " bit " + bit);
        }
    }

    @Test
    void failuresNestedWithoutEndAreRefused() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(new byte[] {1, 11, 0});
        for (int i = 0; i < 500_000; i++) {
            bytes.writeBytes(new byte[] {0, 0, 0, 1});
        }
        bytes.writeBytes(new byte[] {0, 0, 0, 0});
        assertRefused(bytes.toByteArray(), "nested failures");
    }

    @Test
    void failureWithoutDetailsHasTheBytesThatItHadBeforeThereWereDetails() {
        byte[] bytes = {1, 11, 0, 1, 'T', 1, 'm', 1, 's', 1, 1, 'C', 0, 0, 0};
        Failure failure = new Failure("T", "m", "s", new Failure("C", "", "", null));
        List<Event> events = List.of(new Event.RunFailed(Instant.EPOCH, failure));
        assertThat(EventCodec.decode(bytes)).isEqualTo(events);
        assertThat(EventCodec.encode(events)).isEqualTo(bytes);
    }

    @Test
    void failureWithUnknownPartsIsOfALaterVersion() {
        byte[] bytes = {1, 11, 0, 1, 'T', 1, 'm', 1, 's', 4};
        assertThat(((DormouseException) catchThrowable(() -> EventCodec.decode(bytes))).code())
                .isEqualTo(ErrorCode.HISTORY_TOO_NEW);
    }

    @Test
    void countsThatPromiseMoreThanThereIsTakeNoMemory() {
        for (int tag : new int[] {1, 8}) {
            byte[] bytes = {1, (byte) tag, 0, 0, -1, -1, -1, -1, 7, 0, 0};
            assertRefused(bytes, "tag " + tag);
        }
    }

    @Test
    void laterFormatsAndUnknownEventsAreTooNew() {
        assertThat(((DormouseException) catchThrowable(() -> EventCodec.decode(new byte[] {2}))).code())
                .isEqualTo(ErrorCode.HISTORY_TOO_NEW);
        assertThat(((DormouseException) catchThrowable(() -> EventCodec.decode(new byte[] {1, 99, 0}))).code())
                .isEqualTo(ErrorCode.HISTORY_TOO_NEW);
    }
}
