package dev.dormouse.demo.run;

/** A receiver of messages about the progress of a {@link DemoRun}. */
public interface DemoMessages {
    enum Tone {
        PLAIN,
        DEATH,
        RECOVERY
    }

    void tell(Tone tone, String text);
}
