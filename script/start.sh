# Starts the program, from a clone or from an unpacked release. Sourced; wants "jdk", the folder of a Java, "jar", the
# program, and "trained", the folder for what a training leaves behind.

readonly aot_cache=$trained/pilothouse.aot
# What is learned under some of these holds under no others.
flags=(
    --enable-native-access=ALL-UNNAMED
    -XX:+UseSerialGC
    -XX:+UseCompactObjectHeaders
    # A start fills what it is given; under load the heap grows.
    -Xms32m
    -XX:MinHeapFreeRatio=10
    -XX:MaxHeapFreeRatio=30
    -XX:-UsePerfData
    -XX:+ExitOnOutOfMemoryError
    # No text depends on where the machine stands, and loading the calendars of the world is 7 % of a start.
    -Djava.locale.providers=SPI
    # Compiling again what was hot in the training would compete with the start. Other JDKs may not know the flag.
    -XX:+IgnoreUnrecognizedVMOptions
    -XX:+UnlockDiagnosticVMOptions
    -XX:-AOTReplayTraining
)

# What a training left behind is of this jar.
is_trained() {
    [ -f "$aot_cache" ] && [ "$aot_cache" -nt "$jar" ]
}

# Lets the JVM learn what a start needs and unpacks the database's library, once for each jar: later starts take less
# than half the time. Where it cannot be done the program starts as it would without, so that costs no words; the empty
# file keeps it from being tried again.
train() {
    ! is_trained || return 0
    [ -w "$trained" ] || return 0
    printf 'preparing faster starts\n' >&2
    local folder
    folder=$(mktemp -d "${TMPDIR:-/tmp}/pilothouse.XXXXXX")
    # Classes are all that is to be learned: compiling what was hot in a training again would compete with the start.
    if ! "$jdk/bin/java" "${flags[@]}" "-XX:AOTCacheOutput=$folder/pilothouse.aot" -Xlog:disable -XX:-AOTRecordTraining \
        -cp "$jar" io.pilothouse.server.Training "$folder" >/dev/null 2>&1; then
        rm -f "$folder/pilothouse.aot"
    fi
    [ -f "$folder/pilothouse.aot" ] || : >"$folder/pilothouse.aot"
    # Two trainings at once each put whole files there; the cache comes last, as it stands for all of them.
    local file
    for file in "$folder"/*sqlitejdbc* "$folder/pilothouse.aot"; do
        [ -f "$file" ] || continue
        mv -f "$file" "$trained/${file##*/}.$$" && mv -f "$trained/${file##*/}.$$" "$trained/${file##*/}" || true
    done
    rm -rf "$folder"
}

# Ends as the program ends.
start_program() {
    [ "${1:-}" != up ] || train
    local -a extra=()
    if is_trained; then
        flags+=("-Dorg.sqlite.lib.path=$trained")
        # A cache of another JDK is passed over; that costs time at the start and deserves no words.
        [ ! -s "$aot_cache" ] || flags+=("-XX:AOTCache=$aot_cache" '-Xlog:aot*=off' '-Xlog:cds*=off')
    fi
    # Split at blanks on purpose: each variable holds several options.
    read -r -a extra <<<"${JAVA_OPTS:-} ${PILOTHOUSE_JAVA_OPTS:-}"
    exec "$jdk/bin/java" "${flags[@]}" ${extra[@]+"${extra[@]}"} -jar "$jar" "$@"
}
