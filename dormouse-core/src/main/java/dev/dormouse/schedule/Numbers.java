package dev.dormouse.schedule;

/** A set of numbers from 0 to 63, as bits. */
record Numbers(long bits) {
    static final Numbers NONE = new Numbers(0);

    /** The result of {@link #atOrAfter} if there is none. */
    static final int END = Long.SIZE;

    static Numbers of(int number) {
        return new Numbers(1L << number);
    }

    Numbers and(Numbers others) {
        return new Numbers(bits | others.bits);
    }

    boolean contains(int number) {
        return (bits >>> number & 1) != 0;
    }

    /** Returns the smallest member that is not smaller than {@code number}, or {@link #END}. */
    int atOrAfter(int number) {
        return Long.numberOfTrailingZeros(bits & -1L << number);
    }

    int first() {
        return atOrAfter(0);
    }
}
