/** Options, folder, failures and texts of the demo, which its other packages use. */
@NullMarked
package dev.dormouse.demo.base;

import org.jspecify.annotations.NullMarked;
