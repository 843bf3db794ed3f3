/** Tests of activities and steps: results, retries, timeouts, heartbeats, pauses and completion from outside. */
package dev.dormouse.activity;
