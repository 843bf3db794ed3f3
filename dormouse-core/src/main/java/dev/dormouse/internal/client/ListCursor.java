package dev.dormouse.internal.client;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The position in a list: a shard, and a position in that shard. Written as {@code shard:position}. */
public record ListCursor(int shard, Optional<String> inShard) {

    public static ListCursor of(Optional<String> page, int shards) {
        if (page.isEmpty()) {
            return new ListCursor(0, Optional.empty());
        }
        String text = page.get();
        int colon = text.indexOf(':');
        try {
            int shard = Integer.parseInt(text.substring(0, Math.max(0, colon)));
            if (shard >= 0 && shard < shards) {
                String position = text.substring(colon + 1);
                return new ListCursor(shard, position.isEmpty() ? Optional.empty() : Optional.of(position));
            }
        } catch (NumberFormatException notOurs) {
            // not a cursor of this list: reported below
        }
        throw new DormouseException(
                ErrorCode.BAD_ARGUMENT,
                "Expected a page from RunList.next(), but got '" + text + "'. Start with the first page.");
    }

    public Optional<String> next(@Nullable String position, int shards) {
        if (position != null) {
            return Optional.of(shard + ":" + position);
        }
        return shard + 1 < shards ? Optional.of((shard + 1) + ":") : Optional.empty();
    }
}
