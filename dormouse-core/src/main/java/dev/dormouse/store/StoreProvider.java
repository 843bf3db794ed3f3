package dev.dormouse.store;

import javax.sql.DataSource;

/** Opens stores of one kind. Found by {@link java.util.ServiceLoader}. */
public interface StoreProvider {

    /** What its URLs look like, for error messages: {@code sqlite:FILE}. */
    String urlForm();

    boolean accepts(String url);

    /** Whether the DataSource leads to a database of this kind; may connect to it. */
    boolean accepts(DataSource dataSource);

    Store open(StoreConfig config);

    /**
     * All SQL from an empty database to the latest version of the schema, for somebody who wants to read it, or to run it by
     * hand. Connects to nothing.
     */
    String script(StoreConfig config);
}
