package dev.dormouse.sqlite.sql;

import java.sql.SQLException;

/** Thrown if the name of the database no longer leads to the file that is open. */
public final class FileReplacedException extends SQLException {
    private static final long serialVersionUID = 1;

    public FileReplacedException(String finding) {
        super(finding);
    }
}
