/** Tests of published events and the runs that wait for them. */
package dev.dormouse.event;
