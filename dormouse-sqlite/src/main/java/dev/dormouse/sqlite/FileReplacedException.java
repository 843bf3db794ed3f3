package dev.dormouse.sqlite;

import java.sql.SQLException;

/** The name of the database no longer leads to the file that is open. */
final class FileReplacedException extends SQLException {
    private static final long serialVersionUID = 1;

    FileReplacedException(String finding) {
        super(finding);
    }
}
