package dev.dormouse.store;

import static dev.dormouse.store.Samples.SHARD;
import static dev.dormouse.store.Samples.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.store.base.Definition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A version of a definition is accepted once, never changes, and is found by queries for new versions. */
interface DefinitionContract extends ContractWords {

    private boolean define(String name, int version) {
        return store().define(SHARD, name, version, bytes(name + " " + version));
    }

    private Definition get(String name, int version) {
        return peer().definition(SHARD, name, version).orElseThrow();
    }

    private List<Definition> since(Instant since, @Nullable Definition after, int limit) {
        return peer().definitions(SHARD, since, after, limit);
    }

    private static String text(Definition definition) {
        return definition.name() + " " + definition.version();
    }

    /** Reads all pages. Returns everything that was found. */
    private List<String> pages(Instant since, int limit) {
        List<String> all = new ArrayList<>();
        List<Definition> page = since(since, null, limit);
        while (!page.isEmpty()) {
            assertThat(page).hasSizeLessThanOrEqualTo(limit);
            page.forEach(one -> all.add(text(one)));
            page = since(since, page.get(page.size() - 1), limit);
        }
        return all;
    }

    @Test
    default void definitionIsFoundByItsNameAndVersion() {
        Instant before = now();
        assertThat(define("a", 1)).isTrue();
        Definition found = get("a", 1);
        assertThat(found.name()).isEqualTo("a");
        assertThat(found.version()).isEqualTo(1);
        assertThat(found.body()).isEqualTo(bytes("a 1"));
        assertThat(found.definedAt()).isBetween(before, now());
        assertThat(store().definition(SHARD, "a", 2)).isEmpty();
        assertThat(store().definition(SHARD, "A", 1)).isEmpty();
        assertThat(store().definition(SHARD, "b", 0)).isEmpty();
    }

    @Test
    default void existingVersionStaysUnchanged() {
        define("a", 1);
        Definition first = get("a", 1);
        tick();
        assertThat(define("a", 1)).isFalse();
        assertThat(peer().define(SHARD, "a", 1, bytes("other"))).isFalse();
        assertThat(get("a", 1)).usingRecursiveComparison().isEqualTo(first);
        assertThat(get("a", 0)).usingRecursiveComparison().isEqualTo(first);
        assertThat(since(Instant.EPOCH, null, 10)).hasSize(1);
    }

    @Test
    default void zeroIsTheHighestVersionWhateverTheOrderInWhichTheyCame() {
        for (int version : new int[] {2, 10, 9, 1}) {
            define("a", version);
            define("b", version + 1);
            tick();
        }
        define("aa", Integer.MAX_VALUE);
        assertThat(text(get("a", 0))).isEqualTo("a 10");
        assertThat(text(get("b", 0))).isEqualTo("b 11");
        assertThat(text(get("aa", 0))).isEqualTo("aa " + Integer.MAX_VALUE);
        assertThat(text(get("a", 2))).isEqualTo("a 2");
    }

    @Test
    default void newDefinitionsAreReturnedInOrderOfAcceptance() {
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            String name = i % 2 == 0 ? "z" : "a";
            define(name, 10 - i);
            expected.add(name + " " + (10 - i));
            tick();
        }
        for (int limit : new int[] {1, 3, 10, 100}) {
            assertThat(pages(Instant.EPOCH, limit)).isEqualTo(expected);
        }
        Instant since = get("z", 6).definedAt();
        assertThat(pages(since, 2)).isEqualTo(expected.subList(4, 10));
        assertThat(pages(since.plusNanos(1), 2)).isEqualTo(expected.subList(5, 10));
        assertThat(pages(now(), 2)).isEmpty();
        assertThat(since(Instant.EPOCH, null, 0)).isEmpty();
        assertThat(since(since, get("a", 9), 100).get(0).version()).isEqualTo(6);
    }

    @Test
    default void definitionsOfOneInstantAreOrderedByNameInUtf8AndVersion() {
        List<String> names = List.of("A", "a", "a ", "\u00e4", "\uFFFD", "\uD83D\uDC2D", "\uD83D\uDE00");
        List<String> shuffled = new ArrayList<>(names);
        Collections.shuffle(shuffled);
        shuffled.forEach(name -> List.of(10, 9, 1).forEach(version -> define(name, version)));
        List<Definition> all = since(Instant.EPOCH, null, 100);
        for (int i = 1; i < all.size(); i++) {
            assertThat(isBefore(all.get(i - 1), all.get(i), names)).isTrue();
        }
        assertThat(all).hasSize(21);
        assertThat(pages(Instant.EPOCH, 1))
                .isEqualTo(all.stream().map(DefinitionContract::text).toList());
    }

    private static boolean isBefore(Definition one, Definition other, List<String> names) {
        if (!one.definedAt().equals(other.definedAt())) {
            return one.definedAt().isBefore(other.definedAt());
        }
        int places = names.indexOf(other.name()) - names.indexOf(one.name());
        return places > 0 || (places == 0 && one.version() < other.version());
    }

    @Test
    default void oddNamesAndLargeBodiesAreKept() {
        String odd = "it's \"odd\" \uD83D\uDC2D {}, \\ \n NULL";
        byte[] body = Samples.randomBytes(2 * 1024 * 1024);
        byte[] handedIn = body.clone();
        assertThat(store().define(SHARD, odd, 1, handedIn)).isTrue();
        assertThat(store().define(SHARD, odd, 2, bytes(""))).isTrue();
        handedIn[0]++;
        Definition found = get(odd, 1);
        assertThat(found.name()).isEqualTo(odd);
        assertThat(found.body()).isEqualTo(body);
        assertThat(get(odd, 0).body()).isEmpty();
    }

    @Test
    default void oneOfManyConcurrentIdenticalDefinitionsIsAccepted() throws Exception {
        for (int round = 0; round < 10; round++) {
            int version = round + 1;
            List<Boolean> told = Together.run(8, thread -> {
                Store store = thread % 2 == 0 ? store() : peer();
                boolean mine = store.define(SHARD, "a", version, bytes("by " + thread));
                byte[] kept =
                        store.definition(SHARD, "a", version).orElseThrow().body();
                assertThat(!mine || Arrays.equals(kept, bytes("by " + thread))).isTrue();
                return mine;
            });
            assertThat(told).containsOnlyOnce(true);
        }
    }
}
