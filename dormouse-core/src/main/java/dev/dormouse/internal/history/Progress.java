package dev.dormouse.internal.history;

import dev.dormouse.codec.Payload;

/**
 * The progress that a step in flight has reported.
 *
 * @param step the name of the step
 */
public record Progress(String step, Payload details) {

    public byte[] encode() {
        EventWriter out = new EventWriter();
        out.text(step);
        out.payload(details);
        return out.toBytes();
    }

    public static Progress decode(byte[] bytes) {
        EventReader in = new EventReader(bytes);
        return new Progress(in.text(), in.payload());
    }
}
