/** Tests of messages to runs: signals, queries and updates. */
package dev.dormouse.message;
