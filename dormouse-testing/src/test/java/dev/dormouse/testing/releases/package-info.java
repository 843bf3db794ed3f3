/**
 * Workflows whose histories are kept for every release, in {@code src/test/resources/histories}. Change their code only
 * as a user would change that of open runs: behind {@code Workflow.version}.
 */
package dev.dormouse.testing.releases;
