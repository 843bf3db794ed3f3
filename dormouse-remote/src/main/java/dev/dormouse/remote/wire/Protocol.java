package dev.dormouse.remote.wire;

/** The versions and limits of the protocol. */
public final class Protocol {
    /** The version that this library speaks. */
    public static final int VERSION = 1;

    /** The largest request in bytes. A batch ends with the entry that reaches 8 MiB. */
    public static final int MOST_REQUEST_BYTES = 64 << 20;

    /** The largest answer in bytes: the histories of some runs. */
    public static final int MOST_ANSWER_BYTES = 256 << 20;

    /** The largest headers and trailers in bytes, which contain error messages. */
    public static final int MOST_METADATA_BYTES = 64 << 10;

    private Protocol() {}
}
