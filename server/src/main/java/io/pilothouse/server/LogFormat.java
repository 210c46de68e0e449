package io.pilothouse.server;

/** How a log line is written: as key=value pairs for people and grep, or as one JSON object. */
enum LogFormat {
    TEXT,
    JSON
}
