package dev.dormouse.chaos.process;

/**
 * The resource usage of a worker.
 *
 * @param heap bytes in use after a garbage collection
 * @param mostThreads the peak number of threads
 */
public record WorkerUsage(long heap, int threads, int mostThreads) {
    public static WorkerUsage of(WorkerHandle worker) {
        String[] words = worker.ask("memory").split(" ", -1);
        return new WorkerUsage(Long.parseLong(words[0]), Integer.parseInt(words[1]), Integer.parseInt(words[2]));
    }
}
