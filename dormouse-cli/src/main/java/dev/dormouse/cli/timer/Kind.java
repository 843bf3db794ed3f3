package dev.dormouse.cli.timer;

import dev.dormouse.cli.api.ApiPath;
import picocli.CommandLine.Option;

/** Which timers ids are of. */
final class Kind {
    @Option(names = "--sql", description = "Timers that were set in SQL: ids are numbers, or SHARD_KEY:NUMBER.")
    private boolean inSql;

    boolean isInSql() {
        return inSql;
    }

    ApiPath path(String id) {
        return ApiPath.of(resource(), id);
    }

    ApiPath path(String id, String verb) {
        return ApiPath.of(resource(), id, verb);
    }

    private String resource() {
        return inSql ? "sql-timers" : "timers";
    }
}
