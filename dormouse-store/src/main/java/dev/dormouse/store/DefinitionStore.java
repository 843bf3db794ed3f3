package dev.dormouse.store;

import dev.dormouse.store.base.Definition;
import dev.dormouse.store.base.StoreException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Storage for workflows that are defined as data. Each call is one transaction. Every method throws
 * {@link StoreException} if the database cannot be reached or fails.
 */
public interface DefinitionStore {

    /**
     * Stores a version of a definition. Returns false, and changes nothing, if that version exists already, even with a
     * different body.
     */
    boolean define(int shard, String name, int version, byte[] body);

    /**
     * Returns a version of a definition, empty if there is none.
     *
     * @param version the version, or 0 for the highest
     */
    Optional<Definition> definition(int shard, String name, int version);

    /**
     * Returns the versions that the store accepted at or after {@code since}, at most {@code limit}. They are ordered
     * by the time of acceptance, then by name (UTF-8 bytes), then by version.
     *
     * @param after the last entry of the previous page; null for the first page
     */
    List<Definition> definitions(int shard, Instant since, @Nullable Definition after, int limit);
}
