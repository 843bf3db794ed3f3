/** Commands for whoever keeps Dormouse running: nodes, migrations, backups, checks, error codes. */
@NullMarked
package dev.dormouse.cli.operate;

import org.jspecify.annotations.NullMarked;
