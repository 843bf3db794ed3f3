package dev.dormouse.testing.sim;

import java.util.random.RandomGenerator;

/**
 * A random source whose doubles are always one half, so that retries with jitter have their nominal delays: the engine
 * draws doubles for nothing else. Everything else, such as ids and the spread of runs after a crash, comes from {@code
 * source}. Each double is drawn from {@code source} too, so that ids do not depend on whether delays have jitter.
 *
 * @param source the random source of a node
 */
record NoJitter(RandomGenerator source) implements RandomGenerator {
    @Override
    public long nextLong() {
        return source.nextLong();
    }

    @Override
    public float nextFloat() {
        return source.nextFloat();
    }

    @Override
    public double nextDouble() {
        source.nextDouble();
        return 0.5;
    }
}
