package dev.dormouse.internal.history;

/** A value that writes itself in the stored format. A static method {@code read} of its class reads it. */
interface Writable {

    void write(EventWriter out);
}
