package dev.dormouse.demo.screen;

import java.io.IOException;
import java.io.InputStream;
import java.util.function.IntConsumer;

/** A reader of keys, one by one, on a separate thread. */
public final class KeyReader {
    /** The end of the keyboard input. */
    public static final int NONE = -1;

    private KeyReader() {}

    public static void listen(InputStream input, IntConsumer listener) {
        Thread thread = new Thread(() -> read(input, listener), "keys");
        thread.setDaemon(true);
        thread.start();
    }

    private static void read(InputStream input, IntConsumer listener) {
        int key;
        do {
            key = readOne(input);
            listener.accept(Character.toLowerCase(key));
        } while (key != NONE);
    }

    private static int readOne(InputStream input) {
        try {
            return input.read();
        } catch (IOException e) {
            return NONE;
        }
    }
}
