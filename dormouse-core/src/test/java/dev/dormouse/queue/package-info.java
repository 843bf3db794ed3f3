/** Tests of queues with limits, and work that other nodes execute. */
package dev.dormouse.queue;
