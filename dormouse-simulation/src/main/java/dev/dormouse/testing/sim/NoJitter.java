package dev.dormouse.testing.sim;

import java.util.random.RandomGenerator;

/**
 * A random source whose fractions are always one half, so that delays with jitter have their nominal length. Everything
 * else, such as ids, comes from {@code source}. Each fraction is drawn from {@code source} too, so that ids do not depend
 * on whether delays have jitter.
 *
 * @param source the random source of a node
 */
record NoJitter(RandomGenerator source) implements RandomGenerator {
    @Override
    public long nextLong() {
        return source.nextLong();
    }

    @Override
    public double nextDouble() {
        source.nextDouble();
        return 0.5;
    }
}
