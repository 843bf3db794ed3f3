package dev.dormouse.store.page;

import dev.dormouse.inspect.WakeReason;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The result of a bounded scan over the alarms of one range.
 *
 * @param due the number of scanned alarms that users have set, see {@link WakeReason#isSet()}
 * @param stoppedAt the last scanned alarm, if the scan stopped before the end of the range; null if it covered the
 *     whole range
 */
public record AlarmProbe(int due, @Nullable Instant stoppedAt) {}
