package dev.dormouse.support.upgrade;

/**
 * The body of every step, activity and timer handler of {@link UpgradeWorkflows}. The tests record the calls. The program
 * that wrote the databases blocked in some of them, so that it died there.
 */
@FunctionalInterface
interface Work {
    /**
     * Does the work at {@code place}, which is the workflow id, a slash and the name of the step.
     *
     * @return the name of the step
     */
    String at(String place) throws Exception;
}
