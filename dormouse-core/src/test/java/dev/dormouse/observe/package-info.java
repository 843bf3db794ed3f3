/** Tests of log lines, monitors, the pulse and descriptions of waits. */
package dev.dormouse.observe;
