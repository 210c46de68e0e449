/** What every listener needs to hold against those who connect to it: seats, room for bytes, and who they really are. */
@NullMarked
package io.pilothouse.incoming;

import org.jspecify.annotations.NullMarked;
