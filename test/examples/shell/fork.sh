#!/bin/sh
# Creates a fork, sends ether from an account without its key, and prints the balance changes as JSON.
# The service: FORKLENS_URL, FORKLENS_ACCESS_KEY; by default the one of `npm start -- --sandbox --local-user`.
set -eu
url=${FORKLENS_URL:-http://127.0.0.1:8787}
key=${FORKLENS_ACCESS_KEY:-$(cat ~/.forklens/access-key)}
sender=0x70997970c51812dc3a010c7d01b50e0d17dc79c8
receiver=0x000000000000000000000000000000000000dead

get() { curl -sSf -H "Access-Key: $key" "$url$1"; }
post() { curl -sSf -H "Access-Key: $key" -H 'Content-Type: application/json' -d "$2" "$1"; }
field() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }

project=$(get /v1/projects | field projectId)
fork=$(post "$url/v1/project/$project/fork" '{"chainId": 31337, "name": "from the shell"}')
rpc=$(echo "$fork" | field rpc)
id=$(echo "$fork" | field forkId)

send='{"jsonrpc": "2.0", "id": 1, "method": "eth_sendTransaction", "params": [{"from": "'$sender'", "to": "'$receiver'", "value": "0xde0b6b3a7640000"}]}'
hash=$(post "$rpc" "$send" | field result)
get "/v1/explorer/$id/transaction/$hash/balance-change"
