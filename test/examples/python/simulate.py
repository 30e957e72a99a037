"""Simulates an unsent transaction with a changed state: Alice sends more ether than she has on the chain."""

from forklens import call

ALICE = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8"
BOB = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc"
ETHER = 10**18

simulation = call(
    "POST",
    "/v1/explorer/sandbox/simulate",
    {
        "from": ALICE,
        "to": BOB,
        "value": str(2_000_000 * ETHER),
        "height": "0x8",
        "position": 3,
        "stateOverrides": {ALICE: {"balance": str(3_000_000 * ETHER)}},
    },
)
print("succeeded" if simulation["status"] else "failed")
