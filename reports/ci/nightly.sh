#!/usr/bin/env bash
# One nightly run, started by the action or by cron:
#   17 3 * * *  cd /srv/messaging-conformance && . ./nightly.env && bash reports/ci/nightly.sh >> nightly.log 2>&1
# Needs `npm ci` done and, in the environment: CONFORMANCE_URL, CONFORMANCE_ALLOW_HOST (the host of that URL, as consent
# to send it load), and the API keys in variables that CONFORMANCE_KEY_ENV names, or else in KEY_A and KEY_B; its value "none"
# sends no key. Its exit status is that of the run. The run does not announce itself to the service, so that a service cannot
# keep its promises for the night alone; CONFORMANCE_SEED repeats the schedule of another night.
set -euo pipefail
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
export CONFORMANCE_KEY_ENV=${CONFORMANCE_KEY_ENV:-KEY_A,KEY_B}

# The run itself, with no npm and no shell between: a SIGTERM to this script has to reach it.
exec "$project/node_modules/.bin/node" "$project/scripts/conformance.js" run \
  --retry-inconclusive \
  --unannounced ${CONFORMANCE_SEED:+"$CONFORMANCE_SEED"} \
  ${GITHUB_STEP_SUMMARY:+--summary "$GITHUB_STEP_SUMMARY"}
