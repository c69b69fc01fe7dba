#!/bin/sh
# The main job on the embedded default: a look at the starter registry, from the shell and over HTTP.
set -eu

show() {
  printf '\n$ %s\n' "$1"
  eval "$1"
}

show 'trialyst registry status --source starter'
show 'trialyst search "breast cancer" --source starter --limit 5'
show 'trialyst search --condition "type 2 diabetes" --status RECRUITING --source starter --limit 5'
show 'trialyst count --intervention pembrolizumab --by phase --source starter'
show 'trialyst vocabulary resolve "heart attack"'
show 'trialyst trial NCT90000001 --source starter'
show 'trialyst locations NCT90000001 --near Boston --source starter'
show 'trialyst compare NCT90000001 NCT90000002 --source starter --format markdown'

port=${DEMO_PORT:-8765}
printf '\n$ trialyst serve --port %s --source starter &\n' "$port"
trialyst serve --port "$port" --source starter &
server=$!
trap 'kill -INT $server 2>/dev/null; wait $server || true' EXIT
url="http://127.0.0.1:$port/api/v2/studies?query.cond=asthma&countTotal=true&pageSize=2&fields=NCTId,BriefTitle,OverallStatus"
printf '\n$ curl "%s"\n' "$url"
python - "$url" <<'PYTHON'
import sys, time, urllib.error, urllib.request

for _ in range(100):
    try:
        answer = urllib.request.urlopen(sys.argv[1], timeout=10)
        break
    except urllib.error.URLError:
        time.sleep(0.1)
print(answer.read().decode())
PYTHON
