package dev.dormouse.cli.base;

import dev.dormouse.cli.api.ApiJson;
import dev.dormouse.cli.process.Environment;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/** The options {@code --at} and {@code --in}, exactly one of which must be given. */
public final class TimeOptions {
    @Option(names = "--at", paramLabel = "INSTANT", description = "2026-12-24T18:00:00Z; without Z in local time.")
    private @Nullable String at;

    @Option(names = "--in", paramLabel = "DURATION", description = "A delay from now: 90s, 1h30m, 2d, or PT90S.")
    private @Nullable String in;

    /** Sets the field {@code at} or {@code in} of a request body. Returns {@code body}. */
    public ObjectNode into(ObjectNode body, Environment environment) {
        ApiJson.put(body, "at", TimeArguments.iso(at, "--at", environment.zone()));
        return ApiJson.put(body, "in", TimeArguments.iso(in, "--in"));
    }
}
