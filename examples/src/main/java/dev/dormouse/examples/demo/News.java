package dev.dormouse.examples.demo;

/** Who is told what happens in the {@link Play}. */
interface News {
    enum Tone {
        PLAIN,
        DEATH,
        RECOVERY
    }

    void tell(Tone tone, String text);
}
