package dev.dormouse.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.dormouse.error.ErrorCode;
import dev.dormouse.store.RunFilter;
import dev.dormouse.store.Store;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Small things on which others rest. */
class SmallPartsTest {

    @Test
    void idsSortAsTheirBytesDo() {
        List<UUID> sorted = List.of(
                new UUID(0, 0),
                new UUID(0, -1),
                new UUID(1, 0),
                new UUID(Long.MAX_VALUE, 0),
                new UUID(Long.MIN_VALUE, 0),
                new UUID(-1, Long.MAX_VALUE),
                new UUID(-1, -1));
        for (int i = 0; i < sorted.size(); i++) {
            assertThat(Ids.toId(Ids.toBytes(sorted.get(i)))).isEqualTo(sorted.get(i));
            for (int j = 0; j < sorted.size(); j++) {
                int expected = Integer.compare(i, j);
                assertThat(Integer.signum(Ids.ORDER.compare(sorted.get(i), sorted.get(j))))
                        .isEqualTo(expected);
                int ofBytes = Arrays.compareUnsigned(Ids.toBytes(sorted.get(i)), Ids.toBytes(sorted.get(j)));
                assertThat(Integer.signum(ofBytes)).isEqualTo(expected);
            }
        }
    }

    @Test
    void lockIsLeftFreeForAMomentAfterAWhileWithoutAGap() {
        long[] now = {0};
        List<Long> pauses = new ArrayList<>();
        Courtesy courtesy = new Courtesy(() -> now[0], nanos -> {
            pauses.add(now[0]);
            now[0] += nanos;
        });
        long batch = Courtesy.SHORT_WHILE / 4;
        hold(courtesy, now, batch, 100);
        assertThat(pauses).hasSize(2);
        courtesy.met();
        pauses.clear();
        hold(courtesy, now, batch, 100);
        assertThat(pauses).hasSize(25);
        pauses.clear();
        for (int i = 0; i < 100; i++) {
            now[0] += Courtesy.GAP;
            hold(courtesy, now, batch, 1);
        }
        assertThat(pauses).isEmpty();
    }

    private static void hold(Courtesy courtesy, long[] now, long batch, int times) {
        for (int i = 0; i < times; i++) {
            courtesy.before();
            now[0] += batch;
            courtesy.after();
        }
    }

    @Test
    void prefixEndsBeforeTheNextText() {
        assertThat(Lists.endOf("abc")).isEqualTo("abd");
        assertThat(Lists.endOf("")).isNull();
        assertThat(Lists.endOf("\uD7FF")).isEqualTo("\uE000");
        assertThat(Lists.endOf("\uFFFF")).isEqualTo("\uD800\uDC00");
        assertThat(Lists.endOf("a\uDBFF\uDFFF")).isEqualTo("b");
        assertThat(Lists.endOf("\uDBFF\uDFFF\uDBFF\uDFFF")).isNull();
    }

    @Test
    void textOfHalfCharactersIsRefused() {
        assertThatCode(() -> Texts.check("whole \uD83D\uDC2D \u0000 ü")).doesNotThrowAnyException();
        assertThatCode(() -> Texts.check(null)).doesNotThrowAnyException();
        for (String half : List.of("\uD83D", "\uDC2D", "x\uD83Dx", "\uDC2D\uD83D", "\uD83D\uDC2D\uD83D")) {
            Errors.assertError(ErrorCode.BAD_ARGUMENT, () -> Texts.check(half));
        }
    }

    @Test
    void pageThatNobodyNamedIsRefused() {
        try (Store store = Stores.open("sqlite::memory:", 1)) {
            for (String page : List.of("", "2", "x".repeat(36), "x".repeat(100))) {
                for (RunFilter filter : List.of(RunFilter.ALL, new RunFilter("a", null, Set.of()))) {
                    Errors.assertError(ErrorCode.BAD_ARGUMENT, () -> store.list(0, filter, Optional.of(page), 10));
                }
            }
        }
    }

    @Test
    void listLooksAtABoundedNumberOfRows() {
        try (Store store = Stores.open("sqlite::memory:", 1)) {
            store.start(0, Sample.leased("wf-", 1_500));
            RunFilter nothing = new RunFilter(null, "no such type", Set.of());
            var first = store.list(0, nothing, Optional.empty(), 1);
            assertThat(first.runs()).isEmpty();
            assertThat(first.next()).isNotNull();
            var second = store.list(0, nothing, Optional.of(first.next()), 1);
            assertThat(second.runs()).isEmpty();
            assertThat(second.next()).isNull();
        }
    }
}
