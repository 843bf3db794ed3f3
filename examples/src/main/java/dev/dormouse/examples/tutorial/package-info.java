/** The program of the tutorial: reminders for invoices. */
@NullMarked
package dev.dormouse.examples.tutorial;

import org.jspecify.annotations.NullMarked;
