package dev.dormouse.history;

import dev.dormouse.codec.Payload;

/**
 * What a step in flight has said of its progress.
 *
 * @param step its name
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
