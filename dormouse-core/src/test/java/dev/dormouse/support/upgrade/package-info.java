/** Databases that earlier versions wrote, with runs in every status, and what must become of these runs. */
package dev.dormouse.support.upgrade;
