package dev.dormouse.examples.demo;

/** The demo behind {@code ./dormouse demo}. */
public final class Demo {
    private Demo() {}

    public static void main(String[] args) {
        System.out.println(greeting());
    }

    static String greeting() {
        return "The dormouse is still asleep: the demo is not written yet.";
    }
}
