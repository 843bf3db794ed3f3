package dev.dormouse.store;

import javax.sql.DataSource;

/** A factory for stores of one kind, found by {@link java.util.ServiceLoader}. */
public interface StoreProvider {

    /** Returns the form of its URLs for error messages, such as {@code sqlite:FILE}. */
    String urlForm();

    /** Returns true if the URL has the form of this kind of store. Does not connect. */
    boolean accepts(String url);

    /** Returns true if the DataSource leads to a database of this kind. May connect to it. */
    boolean accepts(DataSource dataSource);

    /**
     * Opens a store, and creates or upgrades its tables if {@link StoreConfig#migrate} allows that.
     *
     * @throws dev.dormouse.error.DormouseException with a code such as SCHEMA_MISSING or STORE_UNAVAILABLE, if the
     *     database cannot be used
     */
    Store open(StoreConfig config);

    /**
     * Returns all SQL from an empty database to the latest version of the schema, for review or to run it by hand. Does
     * not connect.
     */
    String script(StoreConfig config);
}
