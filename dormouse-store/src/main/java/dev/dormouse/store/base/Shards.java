package dev.dormouse.store.base;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/** The assignment of workflow ids to shards. All rows of a workflow are in one shard. */
public final class Shards {
    private Shards() {}

    /** Returns the shard of a workflow id: a hash of it, from 0 to {@code shards - 1}, which never changes. */
    public static int of(String workflowId, int shards) {
        if (shards == 1) {
            return 0;
        }
        CRC32C crc = new CRC32C();
        crc.update(workflowId.getBytes(StandardCharsets.UTF_8));
        return (int) (crc.getValue() % shards);
    }
}
