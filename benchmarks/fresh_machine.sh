#!/usr/bin/env bash
# The README's two commands on a Debian with nothing but Python and make: no caches, no libGL, no browser, a user who
# is a bare number, an empty home.
#
#     benchmarks/fresh_machine.sh trixie [options of mmdebstrap]
#
# Takes what is committed. Needs mmdebstrap, bubblewrap and curl, and fetches packages of Debian and Python. Of the
# tests it collects all and runs some hundred; five minutes at most for each step.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
release=$1
shift
port=18611
root=$(mktemp -d)
trap 'rm -rf --one-file-system "$root"' EXIT
here=$root/srv/sagrada

mmdebstrap --quiet --variant=minbase --include=python3,python3-venv,make,ca-certificates "$@" "$release" "$root"
mkdir "$here"
git archive HEAD | tar -x -C "$here"

fresh() {  # COMMAND...
    timeout 300 bwrap --ro-bind "$root" / --bind "$here" /srv/sagrada --dev /dev --proc /proc --tmpfs /tmp \
        --ro-bind /etc/resolv.conf /etc/resolv.conf --ro-bind /etc/ssl/certs /etc/ssl/certs \
        --unshare-user --uid 1000 --gid 1000 --unshare-pid --unshare-ipc --die-with-parent \
        --clearenv --setenv PATH /usr/bin:/bin --setenv HOME /tmp \
        --setenv PIP_CERT /etc/ssl/certs/ca-certificates.crt --setenv PYTEST_ADDOPTS "${tests:-}" \
        --chdir /srv/sagrada "$@"
}

fresh python3 --version
SECONDS=0
fresh make run HOST=127.0.0.1 PORT=$port &
served=$!
until curl --fail --silent --output /dev/null "http://127.0.0.1:$port/"; do
    kill -0 $served
    sleep 1
done
echo "make run: the page answered after $SECONDS s"
curl --fail --silent --form photo=@sample_images/easy_daylight.jpg "http://127.0.0.1:$port/readings.json" |
    grep -o '"board":"[^"]*"'
kill $served
wait $served || true

tests="--collect-only --quiet --quiet" fresh make test | tail -5
tests="tests/scoring/test_patterns.py tests/test_requirements.py tests/webapp/test_cli_score.py tests/vision/cells" \
    fresh make test | tail -5
