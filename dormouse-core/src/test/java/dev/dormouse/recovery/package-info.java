/** Tests of recovery from crashes, takeovers, failovers, clock changes and damaged histories. */
package dev.dormouse.recovery;
