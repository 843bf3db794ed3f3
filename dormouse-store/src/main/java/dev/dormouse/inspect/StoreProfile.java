package dev.dormouse.inspect;

import java.nio.file.Path;
import java.util.Optional;

/**
 * A description of the database behind a store, for people.
 *
 * @param kind the kind of database, such as {@code PostgreSQL}
 * @param name the name of the database or of its file
 * @param version the version of the database software; empty if it is not known
 * @param file the database file; empty if the database is not a single file
 */
public record StoreProfile(String kind, String name, String version, Optional<Path> file) {
    /** The profile of a store that does not describe itself: empty texts and no file. */
    public static final StoreProfile UNKNOWN = new StoreProfile("", "", "", Optional.empty());
}
