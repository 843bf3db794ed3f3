package dev.dormouse.internal.run;

import dev.dormouse.codec.Payload;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.internal.history.Origin;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A run to be started.
 *
 * @param startAt the earliest start; null for at once
 * @param startIn the delay before the start, preferred to {@code startAt}; null for none
 * @param timeout the execution timeout, from the moment the run may start; null for none
 * @param origin the origin of the run, such as its parent or queue
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
