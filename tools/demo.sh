#!/bin/sh
# All three journeys on the embedded starter registry, from the shell and on pages of the web site.
set -eu

show() {
  printf '\n$ %s\n' "$1"
  eval "$1"
}

pages=${DEMO_PAGES:-demo-pages}
port=${DEMO_PORT:-8765}
site="http://127.0.0.1:$port"

printf '1. Find trials, and read one\n'
show 'trialyst registry status --source starter'
show 'trialyst search "recruiting phase 3 asthma" --source starter --limit 3'
show 'trialyst trial NCT90000001 --source starter --section title,protocol'

printf '\n2. How far was a drug tried for a condition?\n'
show 'trialyst whitespace albuterol asthma --source starter'

printf '\n3. Trials for a patient, and a pathway\n'
show 'trialyst match --sample melanoma_braf --source starter --top 3'
show 'trialyst pathways search glycolysis --source starter --limit 2'

printf '\nThe same on pages of the web site, written to %s:\n' "$pages"
trialyst serve --port "$port" --source starter 2>/dev/null &
server=$!
trap 'kill -INT $server 2>/dev/null; wait $server 2>/dev/null || true' EXIT
python "$(dirname "$0")/save_pages.py" "$site" "$pages"

program=trialyst
[ -x .venv/bin/trialyst ] && program=.venv/bin/trialyst
printf '\nOpen the web site:  %s serve --open\n' "$program"
