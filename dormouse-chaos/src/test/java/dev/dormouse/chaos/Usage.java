package dev.dormouse.chaos;

/**
 * What a worker needs.
 *
 * @param heap bytes in use after collection
 * @param mostThreads that there ever were at a time
 */
record Usage(long heap, int threads, int mostThreads) {
    static Usage of(Child worker) {
        String[] words = worker.ask("memory").split(" ", -1);
        return new Usage(Long.parseLong(words[0]), Integer.parseInt(words[1]), Integer.parseInt(words[2]));
    }
}
