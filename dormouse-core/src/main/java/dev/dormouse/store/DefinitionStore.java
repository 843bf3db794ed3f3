package dev.dormouse.store;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Workflows that are data. Each call is one transaction; throws {@link StoreException} when the database cannot be asked.
 */
public interface DefinitionStore {

    /** Keeps a version of a definition; false where there is that version already, whatever its body. */
    boolean define(int shard, String name, int version, byte[] body);

    /**
     * A version of a definition.
     *
     * @param version 0 for the highest one
     */
    Optional<Definition> definition(int shard, String name, int version);

    /**
     * Versions that the store has accepted at an instant or later, ordered by that, name (compared by its UTF-8 bytes)
     * and version.
     *
     * @param after where the page before has ended; null for the first
     */
    List<Definition> definitions(int shard, Instant since, @Nullable Definition after, int limit);
}
