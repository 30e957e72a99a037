import assert from 'node:assert/strict';
import { once } from 'node:events';
import WebSocket from 'ws';
import type { Fork } from '../../server/api/fork';
import { makeCertificate, tlsArguments } from '../support/certificates';
import { call } from '../support/json-rpc';
import { describeWith } from '../support/programs';
import { usePostgres } from '../support/storages';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';
import { ALICE, at, Team } from './team';

/** What Node reads before each connection. */
const UNCHECKED = 'NODE_TLS_REJECT_UNAUTHORIZED';

describeWith(['initdb'], 'nodes that speak HTTPS', function () {
  this.timeout(120_000);
  const postgres = usePostgres();
  let folder: string;
  let team: Team;
  before(async () => {
    folder = await makeTemporaryDirectory();
    const certificate = makeCertificate(folder);
    // The nodes check certificates, this process does not.
    const env = { NODE_EXTRA_CA_CERTS: certificate.certFile, [UNCHECKED]: '1' };
    process.env[UNCHECKED] = '0';
    const service = { args: ['--sandbox', ...tlsArguments(certificate)], env };
    team = await Team.start(postgres(), 2, [], { scheme: 'https', service });
  });
  after(async () => {
    Reflect.deleteProperty(process.env, UNCHECKED);
    await team.stop();
    await removeDirectory(folder);
  });

  it('pass requests and WebSockets on to each other', async () => {
    const fork = await team.createFork(team.nodes[0]!);
    const owner = await team.ownerOf(fork);
    const other = team.otherThan(owner);
    assert.ok(other.url.startsWith('https://'));
    const transfer = { from: ALICE, to: ALICE, value: '0x1' };
    const hash = await call(at(other, fork), 'eth_sendTransaction', transfer);
    assert.ok(await call(at(owner, fork), 'eth_getTransactionReceipt', hash));
    const path = `/v1/project/${team.project}/fork/${fork.forkId}`;
    assert.equal((await team.request<Fork>(other, 'GET', path)).data.transactionCount, 1);
    // The analysis asks the fork's node by this node's own address.
    const analysis = `/v1/explorer/${fork.forkId}/transaction/${hash}/fund-flow`;
    assert.equal((await team.request(other, 'GET', analysis)).message, 'OK');
    const socket = new WebSocket(at(other, fork).replace('https', 'wss'));
    await once(socket, 'open');
    socket.send('{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}');
    const [answer] = (await once(socket, 'message')) as [Buffer];
    assert.equal((JSON.parse(answer.toString()) as { result: string }).result, '0x7a69');
    socket.terminate();
  });
});
