"""Lists a case file and checks its hashes, with nothing but the standard library of Python.

    python3 read_case.py exploit.forklens

Exit code 1: the file is not what its head states.
"""

import hashlib
import json
import re
import sys
import zlib

MOST_HEAD = 64 * 1024
MOST_CONTENT = 256 * 1024 * 1024


def refuse(why):
    sys.exit(f"refused: {why}")


def unpacked(stored, size):
    """At most `size` bytes are unpacked, whatever the entry holds."""
    unpacking = zlib.decompressobj(16 + zlib.MAX_WBITS)
    try:
        content = unpacking.decompress(stored, size + 1)
    except zlib.error as error:
        refuse(f"an entry is not gzip: {error}")
    if len(content) != size or not unpacking.eof or unpacking.unused_data:
        refuse("an entry does not have the size that the head states")
    return content


with open(sys.argv[1], "rb") as file:
    line = file.readline(128)
    found = re.fullmatch(rb"forklens-case (\d+) ([0-9a-f]{64}) (\d+)\n", line)
    if not found or int(found[1]) != 1:
        refuse("it is no case file of version 1")
    if int(found[3]) > MOST_HEAD:
        refuse("its head is too long")
    head = file.read(int(found[3]))
    case = hashlib.sha256(head).hexdigest()
    if case != found[2].decode():
        refuse("its head does not have the hash that its first line states")
    entries = json.loads(head)["entries"]
    if sum(entry["size"] for entry in entries) > MOST_CONTENT:
        refuse("its content is too large")
    print(case)
    for entry in entries:
        content = unpacked(file.read(entry["stored"]), entry["size"])
        if hashlib.sha256(content).hexdigest() != entry["sha256"]:
            refuse(f"{entry['name']} does not have the hash that the head states")
        print(f"{entry['name']}: {entry['size']} bytes, {entry['stored']} in the file")
        if entry["name"] == "case.json":
            about = json.loads(content)
            for analysis in about["analyses"]:
                is_sent = "transaction" in analysis
                what = f"transaction {analysis['transaction']}" if is_sent else "simulation"
                print(f"  {what} of {about['chain']['slug']}")
    if file.read(1):
        refuse("bytes follow its last entry")
