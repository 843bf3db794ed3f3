package dev.dormouse.examples.demo;

/** Receives messages about the progress of a {@link DemoRun}. */
interface DemoMessages {
    enum Tone {
        PLAIN,
        DEATH,
        RECOVERY
    }

    void tell(Tone tone, String text);
}
