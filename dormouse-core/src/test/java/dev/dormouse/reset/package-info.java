/** Tests of resets and retries of runs. */
package dev.dormouse.reset;
