/** Tests of cancellation of runs and scopes, and execution timeouts. */
package dev.dormouse.cancel;
