package io.pilothouse.server;

/** Where clients on this machine reach the listeners, without a slash at the end. */
record Urls(String base, String alerts, String query, String admin) {}
