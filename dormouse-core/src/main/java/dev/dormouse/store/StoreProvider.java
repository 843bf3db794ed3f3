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
}
