"""Prints who gained and who lost what in a transaction of a chain.

    python3 balance_changes.py sandbox 0xbe04775b5340b070ccc6c3fd1474be3926773baa7e8bf33d391c4f7a73553b29
"""

import sys

from forklens import call

chain, transaction = sys.argv[1:]
answer = call("GET", f"/v1/explorer/{chain}/transaction/{transaction}/balance-change")
for change in answer["balanceChange"]:
    for asset in change["assets"]:
        sign = "+" if asset["sign"] else "-"
        print(change["account"], f"{sign}{asset['amount']}", asset["symbol"])
