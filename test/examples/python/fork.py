"""Creates a fork right before a transaction of the sandbox, and prints its RPC address."""

from forklens import call

project = call("GET", "/v1/projects")[0]["projectId"]
fork = call(
    "POST",
    f"/v1/project/{project}/fork",
    {"chainId": 31337, "height": "0x8", "position": 3, "name": "from Python"},
)
print(fork["rpc"])
