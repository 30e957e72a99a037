"""A client of the service in the standard library. Other examples import it."""

import json
import os
import pathlib
import sys
import urllib.error
import urllib.request

URL = os.environ.get("FORKLENS_URL", "http://127.0.0.1:8787")


def access_key():
    key = os.environ.get("FORKLENS_ACCESS_KEY")
    return key or (pathlib.Path.home() / ".forklens/access-key").read_text().strip()


def call(method, path, body=None):
    """Returns the data of the answer, or ends with its error, which says what is wrong."""
    headers = {"Access-Key": access_key(), "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(URL + path, data, headers, method=method)
    try:
        answer = json.load(urllib.request.urlopen(request))
    except urllib.error.HTTPError as error:
        answer = json.load(error)
    if answer["code"] != 0:
        sys.exit(f"{answer['code']}: {answer['message']}")
    return answer["data"]
