package dev.dormouse.store;

import java.nio.file.Path;
import java.util.Optional;

/**
 * What database a store is kept in, for people who look at it.
 *
 * @param kind such as {@code PostgreSQL}
 * @param name of the database, or of its file
 * @param version of the database's software; empty where it is not known
 * @param file where it is a single file
 */
public record StoreProfile(String kind, String name, String version, Optional<Path> file) {
    public static final StoreProfile UNKNOWN = new StoreProfile("", "", "", Optional.empty());
}
