#!/bin/sh
# Runs a command with a Pilothouse of its own, which is gone after it:
#
#   ./with-pilothouse.sh PROGRAM COMMAND [ARGUMENT]...
#
# PROGRAM is ./pilothouse of an unpacked release or of a clone. The command finds the server by the variables that
# Terraform's provider and ClickHouse's command line client read, and by READY_FILE, which has the rest. PLANE=local
# gives services a ClickHouse each.
set -eu

program=$1
shift
folder=$(mktemp -d)
READY_FILE=$folder/ready.json
server=

finish() {
    status=$?
    trap - EXIT
    # The server stops when nobody holds the other end of its input any more.
    exec 3>&-
    [ -z "$server" ] || wait "$server" || true
    [ "$status" -eq 0 ] || cat "$folder/server.log" >&2
    rm -rf "$folder"
    exit "$status"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

mkfifo "$folder/input"
"$program" up --emulator --plane "${PLANE:-simulated}" --simulated-provisioning-time 50ms --data "$folder/data" \
    --listen 127.0.0.1:0 --alerts-listen 127.0.0.1:0 --query-listen 127.0.0.1:0 --admin-listen 127.0.0.1:0 \
    --ready-file "$READY_FILE" --until-input-ends <"$folder/input" >/dev/null 2>"$folder/server.log" &
server=$!
exec 3>"$folder/input"
until [ -f "$READY_FILE" ]; do
    kill -0 "$server" 2>/dev/null || exit 1
    sleep 0.1
done

value() {
    sed -n "s/.*\"$1\": *\"\([^\"]*\)\".*/\1/p" "$READY_FILE"
}
CLICKHOUSE_API_URL=$(value base_url)/v1
CLICKHOUSE_ORG_ID=$(value organization_id)
CLICKHOUSE_CLOUD_API_KEY=$(value key_id)
CLICKHOUSE_CLOUD_API_SECRET=$(value key_secret)
CLICKSTACK_ENDPOINT=$(value alerts_url)
CLICKSTACK_API_KEY=$(value token)
export READY_FILE CLICKHOUSE_API_URL CLICKHOUSE_ORG_ID CLICKHOUSE_CLOUD_API_KEY CLICKHOUSE_CLOUD_API_SECRET
export CLICKSTACK_ENDPOINT CLICKSTACK_API_KEY

"$@" 3>&-
