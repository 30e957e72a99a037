import assert from 'node:assert/strict';
import { join } from 'node:path';
import { testEngines, type TestEngines } from '../integration/fork-upstream';
import { reply } from '../support/json-rpc';
import { createFork, startService, type TestService } from '../support/service';
import { loadCases, type OfficialCase } from './execution-apis/cases';
import { answersOf } from './execution-apis/chain-answers';
import { OfficialCounts } from './execution-apis/counts';
import { ExecutedChain } from './execution-apis/executed-chain';
import { loadResultSchemas, type CheckResult } from './execution-apis/schemas';
import { judgeReply } from './execution-apis/verdict';
import { EXECUTION_APIS, UPDATE, VERBOSE } from './run-length';
import { NodeServer } from './node-server';
import { writeSection } from './table';

/** The newest hardfork of the chain that the service supports. */
const HARDFORK = 'osaka';

/** The cases are not part of this repository; they are read from a given checkout. */
export function officialCases(): void {
  if (EXECUTION_APIS === undefined) {
    it.skip('are not given (--execution-apis DIR)');
    return;
  }
  const root = EXECUTION_APIS;
  const counts = new OfficialCounts();
  let cases: OfficialCase[] = [];
  let chain: ExecutedChain;
  let check: CheckResult;
  let url: string;
  let nodes: NodeServer | undefined;
  let service: TestService | undefined;
  let engines: TestEngines | undefined;

  before(async function () {
    this.timeout(240_000);
    const folder = join(root, 'tests');
    [cases, check, chain, nodes, engines] = await Promise.all([
      loadCases(folder),
      loadResultSchemas(root),
      ExecutedChain.load(folder),
      NodeServer.start(),
      testEngines(),
    ]);
    assert.ok(cases.length > 0, `no cases below ${folder}`);
    url = nodes.add('/', answersOf(chain));
    const { chainId } = chain;
    const known = { slug: 'standard', chainId, rpcUrls: [url], hardfork: HARDFORK };
    service = await startService({ config: { chains: [known], prices: { source: 'none' } } });
  });
  after(async () => {
    await service?.stop();
    await engines?.close();
    await nodes?.close();
  });

  const fork = async (): Promise<string> => {
    const body = { chainId: chain.chainId, height: 'latest' };
    return (await createFork(service!, body)).rpc;
  };
  const bare = async (): Promise<string> => {
    const upstream = { url, blockNumber: chain.blocks.length - 1, isAsked: () => false };
    const { chainId } = chain;
    return (await engines!.start({ chainId, hardfork: HARDFORK, upstream })).url;
  };

  for (const place of ['ours', 'bare'] as const) {
    it(`are answered by ${place === 'ours' ? 'a fork' : 'bare anvil'}`, async function () {
      this.timeout(600_000);
      const open = place === 'ours' ? fork : bare;
      const shared = await open();
      const wrong: string[] = [];
      for (const { name, method: about, isSchemaOnly, exchanges } of cases) {
        const changes = exchanges.some(({ method }) => method === 'eth_sendRawTransaction');
        const address = changes ? await open() : shared;
        for (const { method, params, recorded } of exchanges) {
          const asked = { method, name, isSchemaOnly, recorded };
          const answer = await reply(address, method, ...params);
          const judged = judgeReply({ ...asked, reply: answer }, check, place === 'ours');
          counts.add(place, about, judged);
          const text = `${judged.verdict}: ${method}, ${name}: ${judged.why ?? ''}`;
          if (judged.verdict === 'wrong') wrong.push(text);
          else if (VERBOSE && judged.verdict !== 'equal') console.log(text);
        }
      }
      if (place === 'bare') return;
      for (const text of wrong) console.log(text);
      assert.equal(wrong.length, 0, `${wrong.length} wrong, the first: ${wrong[0]}`);
    });
  }

  after(() => {
    const table = counts.table();
    console.log(table.join('\n'));
    if (UPDATE) writeSection('execution-apis', table);
  });
}
