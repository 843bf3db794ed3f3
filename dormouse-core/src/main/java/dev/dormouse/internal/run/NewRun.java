package dev.dormouse.internal.run;

import dev.dormouse.codec.Payload;
import dev.dormouse.internal.history.Origin;
import dev.dormouse.store.run.RunStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A run to be started.
 *
 * @param startAt not before this instant; null for at once
 * @param startIn so long from now; null for at once
 * @param timeout the run ends so long after it may begin; null for no limit
 * @param origin where the run comes from, such as what it is started with
 * @param replaces see {@link dev.dormouse.store.run.Start#replaces()}
 */
public record NewRun(
        String workflowId,
        String type,
        List<Payload> input,
        @Nullable Instant startAt,
        @Nullable Duration startIn,
        @Nullable Duration timeout,
        Map<String, String> memo,
        Origin origin,
        Set<RunStatus> replaces) {}
