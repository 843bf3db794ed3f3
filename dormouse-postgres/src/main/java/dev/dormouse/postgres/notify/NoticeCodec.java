package dev.dormouse.postgres.notify;

import dev.dormouse.store.base.Micros;
import dev.dormouse.store.base.Notice;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A notice as a line of text: a letter and fields, separated by tabs. Unknown notices, such as those of a newer version
 * of the library, are skipped.
 */
public final class NoticeCodec {
    private static final char TAB = '\t';

    private NoticeCodec() {}

    static String encode(Notice notice) {
        if (notice instanceof Notice.AlarmSet alarm) {
            return alarmSetPrefix(alarm.shard(), alarm.lane()) + Micros.of(alarm.at());
        }
        if (notice instanceof Notice.MailArrived mail) {
            return line('M', mail.runId().toString(), mail.owner());
        }
        if (notice instanceof Notice.LeaseLost lost) {
            return line('L', lost.runId().toString(), lost.owner());
        }
        if (notice instanceof Notice.Watched watched) {
            return line('W', watched.runId().toString());
        }
        if (notice instanceof Notice.OutboxFilled) {
            return line('O');
        }
        if (notice instanceof Notice.Asked asked) {
            return line('Q', Integer.toString(asked.shard()), asked.lane());
        }
        if (notice instanceof Notice.Replied replied) {
            return line('R', replied.question().toString());
        }
        return line('C', ((Notice.Closed) notice).runId().toString());
    }

    /** Returns an AlarmSet without its instant, which SQL appends. */
    public static String alarmSetPrefix(int shard, String lane) {
        return line('A', Integer.toString(shard), lane) + TAB;
    }

    /** Returns a function that decodes the notices of a payload and passes each to {@code receiver}. */
    public static Function<String, Stream<Runnable>> decoding(Consumer<Notice> receiver) {
        return payload ->
                payload.lines().flatMap(line -> decode(line).stream()).map(notice -> () -> receiver.accept(notice));
    }

    static Optional<Notice> decode(String line) {
        String[] fields = line.split("\t", -1);
        try {
            return switch (fields[0]) {
                case "A" ->
                    Optional.of(new Notice.AlarmSet(
                            Integer.parseInt(fields[1]),
                            unescape(fields[2]),
                            Micros.toInstant(Long.parseLong(fields[3]))));
                case "M" -> Optional.of(new Notice.MailArrived(unescape(fields[2]), UUID.fromString(fields[1])));
                case "L" -> Optional.of(new Notice.LeaseLost(unescape(fields[2]), UUID.fromString(fields[1])));
                case "W" -> Optional.of(new Notice.Watched(UUID.fromString(fields[1])));
                case "Q" -> Optional.of(new Notice.Asked(Integer.parseInt(fields[1]), unescape(fields[2])));
                case "O" -> Optional.of(new Notice.OutboxFilled());
                case "R" -> Optional.of(new Notice.Replied(UUID.fromString(fields[1])));
                case "C" -> Optional.of(new Notice.Closed(UUID.fromString(fields[1])));
                default -> Optional.empty();
            };
        } catch (IllegalArgumentException | IndexOutOfBoundsException foreign) {
            return Optional.empty();
        }
    }

    private static String line(char kind, String... fields) {
        StringBuilder line = new StringBuilder().append(kind);
        for (String field : fields) {
            line.append(TAB).append(escape(field));
        }
        return line.toString();
    }

    private static String escape(String field) {
        StringBuilder escaped = new StringBuilder(field.length());
        for (int i = 0; i < field.length(); i++) {
            char c = field.charAt(i);
            if (c < ' ' || c == '%') {
                escaped.append(String.format("%%%02x", (int) c));
            } else {
                escaped.append(c);
            }
        }
        return escaped.toString();
    }

    private static String unescape(String field) {
        StringBuilder plain = new StringBuilder(field.length());
        for (int i = 0; i < field.length(); i++) {
            if (field.charAt(i) == '%') {
                plain.append((char) Integer.parseInt(field.substring(i + 1, i + 3), 16));
                i += 2;
            } else {
                plain.append(field.charAt(i));
            }
        }
        return plain.toString();
    }
}
