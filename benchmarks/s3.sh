#!/usr/bin/env bash
# Photos in storage that speaks S3: a server of moto's on this machine stands for it. What it needs is installed
# into a folder that goes afterwards. Run it from the top of the project after `make test`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scratch=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$scratch"' EXIT
.venv/bin/python -m pip install --quiet --disable-pip-version-check --target "$scratch" s3fs "moto[server]>=5,<6"
export PYTHONPATH=$scratch AWS_EC2_METADATA_DISABLED=true
export FSSPEC_S3_KEY=test FSSPEC_S3_SECRET=test FSSPEC_S3_ENDPOINT_URL=http://127.0.0.1:5555
.venv/bin/python -m moto.server --host 127.0.0.1 --port 5555 >"$scratch/log" 2>&1 &
server=$!
for _ in $(seq 100); do
    (: </dev/tcp/127.0.0.1/5555) 2>/dev/null && break
    sleep 0.2
done
.venv/bin/python -c 'import fsspec; fsspec.filesystem("s3").mkdir("photos")'
SAGRADA_TEST_STORAGE=s3://photos/ .venv/bin/python -m pytest -q tests/webapp/test_files.py tests/webapp/test_two_servers.py
