package dev.dormouse.internal.history;

import dev.dormouse.codec.Payload;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.run.InboxMessage;
import dev.dormouse.store.run.Queued;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;

/** Random events of every kind. */
final class RandomEvents {
    static final int KINDS = 22;
    private static final String[] TEXTS = {"", "a", "ä€", "\uD834\uDD1E", "NUL \0 in it", "x".repeat(300)};

    private final Random random;

    RandomEvents(long seed) {
        random = new Random(seed);
    }

    List<Event> list(int size) {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            events.add(event(random.nextInt(KINDS)));
        }
        return events;
    }

    Event event(int kind) {
        return switch (kind) {
            case 0 ->
                new Event.RunStarted(
                        instant(), text(), payloads(), maybe(), maybe(), memo(), maybeReset(maybeWithUpdate(origin())));
            case 1 -> new Event.RunBegan(instant());
            case 2 -> new Event.StepCompleted(instant(), call(), text(), instant(), payload());
            case 3 ->
                new Event.StepFailed(
                        instant(), call(), text(), instant(), failure(random.nextInt(5)), 1 + random.nextInt(3));
            case 4 -> new Event.TimerScheduled(instant(), call(), instant());
            case 5 -> new Event.TimerFired(instant(), call());
            case 6 -> new Event.WaitTimedOut(instant(), call());
            case 7 -> new Event.MailReceived(instant(), List.of());
            case 8 -> new Event.VersionMarked(instant(), text(), random.nextInt());
            case 9 -> new Event.RunCompleted(instant(), payload());
            case 10 -> new Event.RunFailed(instant(), failure(random.nextInt(5)), random.nextInt(3));
            case 11 -> new Event.RunTerminated(instant(), text());
            case 12 -> new Event.RunTimedOut(instant());
            case 13 -> new Event.RunCancelled(instant(), text());
            case 14 -> new Event.RunContinued(instant(), uuid());
            case 15 ->
                new Event.UpdateAnswered(
                        instant(),
                        random.nextLong() >>> 1,
                        random.nextBoolean(),
                        payload(),
                        random.nextBoolean() ? failure(1) : null);
            case 16 ->
                new Event.StepPostponed(
                        instant(),
                        call(),
                        text(),
                        tried(),
                        instant(),
                        random.nextBoolean() ? failure(1) : null,
                        text());
            case 17 -> new Event.StepHandedOut(instant(), call(), text(), tried(), uuid());
            case 20 -> new Event.Marked(instant(), text(), text());
            case 21 -> new Event.TakenOver(instant(), text(), text(), random.nextLong(), instant(), instant());
            case 18 -> new Event.MailSent(instant(), uuid(), text(), message(1 + random.nextInt(3)));
            default ->
                new Event.ChildRequested(
                        instant(),
                        call(),
                        text(),
                        uuid(),
                        text(),
                        payloads(),
                        ParentClose.of(random.nextInt(3)),
                        random.nextBoolean() ? queued() : null,
                        random.nextBoolean() ? childStart() : null);
        };
    }

    InboxMessage mail() {
        long position = random.nextLong() >>> 1;
        return new InboxMessage(
                position, text(), random.nextInt(1_000), instant(), payload().bytes());
    }

    private Instant instant() {
        return switch (random.nextInt(4)) {
            case 0 -> Micros.toInstant(random.nextLong() / 2);
            case 1 -> Micros.MAX;
            case 2 -> Instant.EPOCH;
            default -> Micros.toInstant(random.nextInt());
        };
    }

    private Tried tried() {
        return new Tried(
                call(),
                instant(),
                instant(),
                random.nextBoolean() ? payload() : null,
                random.nextBoolean() ? payload() : null);
    }

    private Message start(Origin origin) {
        return new Message.StartRun(uuid(), text(), payloads(), maybe(), memo(), origin);
    }

    private Message startOfChild() {
        return new Message.StartRun(uuid(), text(), payloads(), maybe(), memo(), origin(), childStart());
    }

    private ChildStart childStart() {
        Duration timeout = random.nextBoolean() ? Duration.ofMillis(call()) : null;
        return new ChildStart(maybe(), timeout, IdPolicy.of(random.nextInt(4)), memo(), random.nextBoolean());
    }

    private Queued queued() {
        return new Queued(text(), random.nextInt(10), text());
    }

    private Instant maybe() {
        return random.nextBoolean() ? instant() : null;
    }

    private UUID uuid() {
        return new UUID(random.nextLong(), random.nextLong());
    }

    Origin origin() {
        Origin.Parent parent = random.nextBoolean() ? new Origin.Parent(text(), uuid(), call()) : null;
        Origin.Debounce debounce = random.nextBoolean()
                ? new Origin.Debounce(Duration.ofMillis(call()), Duration.ofSeconds(call()))
                : null;
        UUID continues = random.nextBoolean() ? uuid() : null;
        UUID chain = random.nextBoolean() ? uuid() : null;
        Origin origin = new Origin(parent, continues, chain, debounce, List.of());
        return random.nextBoolean() ? origin.with(queued()) : origin;
    }

    private Origin maybeWithUpdate(Origin origin) {
        byte[] update = MessageCodec.encode(new Message.Update(text(), payloads()));
        InboxMessage item = new InboxMessage(0, text(), Message.UPDATE, instant(), update);
        return random.nextInt(4) == 0 ? origin.with(List.of(item)) : origin;
    }

    private Origin maybeReset(Origin origin) {
        List<Origin.Child> children = List.of(new Origin.Child(call(), uuid()), new Origin.Child(call(), uuid()));
        return random.nextBoolean()
                ? origin
                : origin.with(new Origin.Reset(
                        uuid(), uuid(), call(), instant(), call(), children.subList(0, random.nextInt(3))));
    }

    /** Returns a random message of one of the eleven kinds. */
    Message message(int kind) {
        return switch (kind) {
            case 1 -> new Message.Signal(text(), payloads());
            case 2 -> new Message.Update(text(), payloads());
            case 3 -> new Message.Cancel(random.nextBoolean() ? uuid() : null, text());
            case 4 -> new Message.ChildEnded(uuid(), call(), new Event.RunCompleted(instant(), payload()));
            case 5 -> start(origin().with((Queued) null));
            case 9 -> start(origin().with(queued()));
            case 11 -> startOfChild();
            case 12 -> new Message.ChildStarted(uuid(), call(), uuid());
            case 6 -> new Message.TerminateRun(uuid(), text());
            case 7 -> new Message.StartedAgain(payloads());
            default ->
                new Message.StepEnded(uuid(), call(), uuid(), payload(), random.nextBoolean() ? problem() : null);
        };
    }

    private int call() {
        return random.nextInt(4) == 0 ? Integer.MAX_VALUE : random.nextInt(300);
    }

    private String text() {
        return TEXTS[random.nextInt(TEXTS.length)];
    }

    private Payload payload() {
        byte[] bytes = new byte[random.nextInt(4) == 0 ? 5_000 : random.nextInt(200)];
        random.nextBytes(bytes);
        return random.nextInt(5) == 0 ? Payload.NOTHING : new Payload(text(), bytes);
    }

    private List<Payload> payloads() {
        List<Payload> list = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            list.add(payload());
        }
        return list;
    }

    private Map<String, String> memo() {
        Map<String, String> memo = new HashMap<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            memo.put(text() + i, text());
        }
        return memo;
    }

    private Problem problem() {
        Duration retryAfter = random.nextBoolean() ? Duration.ofSeconds(random.nextLong() >>> 1, call() % 1_000) : null;
        List<String> types = List.of(text(), text()).subList(0, random.nextInt(3));
        return new Problem(failure(1), new RetryAdvice(random.nextBoolean(), retryAfter, types));
    }

    private Failure failure(int causes) {
        return new Failure(
                text(),
                text(),
                text(),
                causes == 0 ? null : failure(causes - 1),
                random.nextInt(3) == 0 ? payload() : null);
    }
}
