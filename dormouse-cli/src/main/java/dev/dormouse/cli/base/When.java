package dev.dormouse.cli.base;

import dev.dormouse.cli.process.Environment;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/** {@code --at} or {@code --in}, one of which must be given. */
public final class When {
    @Option(
            names = "--at",
            paramLabel = "INSTANT",
            description = "2026-12-24T18:00:00Z; without the Z by the clock of this machine.")
    private @Nullable String at;

    @Option(names = "--in", paramLabel = "DURATION", description = "From now: 90s, 1h30m, 2d, or PT90S.")
    private @Nullable String in;

    /** Sets it in a body as {@code at} or {@code in}. */
    public ObjectNode into(ObjectNode body, Environment environment) {
        if (at != null) {
            body.put("at", Moments.instant(at, "--at", environment.zone()).toString());
        }
        if (in != null) {
            body.put("in", Moments.duration(in, "--in").toString());
        }
        return body;
    }
}
