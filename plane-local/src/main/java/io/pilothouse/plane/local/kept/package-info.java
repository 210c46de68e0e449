/** What snapshots keep of databases: copies of their folders, and of the files of backups. */
@NullMarked
package io.pilothouse.plane.local.kept;

import org.jspecify.annotations.NullMarked;
