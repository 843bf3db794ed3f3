package dev.dormouse.cli.base;

import dev.dormouse.cli.process.CommandFailed;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import java.util.List;
import java.util.function.Consumer;

/** Does the same to many ids: one that fails does not keep the others from it. */
public final class Each {
    private Each() {}

    /** Returns how it ended: as the first that failed did. */
    public static ExitCode of(List<String> ids, Screen screen, Consumer<String> action) {
        ExitCode end = ExitCode.OK;
        for (int i = 0; i < ids.size(); i++) {
            if (ids.size() > 1) {
                screen.progress((i + 1) + " of " + ids.size());
            }
            ExitCode one = one(ids.get(i), screen, action);
            end = end == ExitCode.OK ? one : end;
        }
        if (ids.size() > 1) {
            screen.progress("");
        }
        return end;
    }

    private static ExitCode one(String id, Screen screen, Consumer<String> action) {
        try {
            action.accept(id);
            return ExitCode.OK;
        } catch (CommandFailed e) {
            if (e.exitCode() == ExitCode.NOT_REACHABLE) {
                throw e;
            }
            screen.remark("dormouse: " + e.getMessage());
            return e.exitCode();
        }
    }
}
