@NullMarked
package dev.dormouse.examples.demo;

import org.jspecify.annotations.NullMarked;
