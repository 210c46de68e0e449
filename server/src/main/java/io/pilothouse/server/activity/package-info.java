/** What the history of organizations is given, and loses, without a request of theirs that succeeds. */
@NullMarked
package io.pilothouse.server.activity;

import org.jspecify.annotations.NullMarked;
