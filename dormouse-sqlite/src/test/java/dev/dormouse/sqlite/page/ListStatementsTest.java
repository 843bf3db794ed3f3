package dev.dormouse.sqlite.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.error.ErrorCode;
import dev.dormouse.sqlite.Errors;
import dev.dormouse.sqlite.Sample;
import dev.dormouse.sqlite.Stores;
import dev.dormouse.store.Store;
import dev.dormouse.store.page.RunFilter;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Lists of runs, page by page. */
class ListStatementsTest {
    @Test
    void prefixEndsBeforeTheNextText() {
        assertThat(ListStatements.endOf("abc")).isEqualTo("abd");
        assertThat(ListStatements.endOf("")).isNull();
        assertThat(ListStatements.endOf("\uD7FF")).isEqualTo("\uE000");
        assertThat(ListStatements.endOf("\uFFFF")).isEqualTo("\uD800\uDC00");
        assertThat(ListStatements.endOf("a\uDBFF\uDFFF")).isEqualTo("b");
        assertThat(ListStatements.endOf("\uDBFF\uDFFF\uDBFF\uDFFF")).isNull();
    }

    @Test
    void unknownPageIsRefused() {
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
