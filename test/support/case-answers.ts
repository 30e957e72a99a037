import assert from 'node:assert/strict';
import type { RecordedCalls, Recording } from '../../server/api/recording';
import type { TestService } from './service';

/** Answers by path, without what may differ: the name of the chain, and the number of what this service knows of the sources. */
export type Answers = ReadonlyMap<string, string>;

const VIEWS = [
  '/analysis',
  '/invocation-flow',
  '/balance-change',
  '/fund-flow',
  '/state-diff',
  '/gas-profile',
  '/source-locations',
  '/foundry-test',
  '/recording',
  '/recording/calls',
  '/recording/conditions',
  '/recording/lines?contract=0',
  '/recording/contract/0/instructions',
];
const SCOPES = ['state', 'locals', 'message', 'block', 'storage', 'gas'];

/** Reads from a chain, a fork or an open case. */
export class Reader {
  constructor(
    private readonly service: TestService,
    private readonly chain: string,
    /** Of the chain that a case is about. */
    private readonly name = 'sandbox',
  ) {}

  /** The data of an answer, or its error. */
  async read(path: string, body?: object): Promise<string> {
    const at = path.replaceAll('<chain>', this.chain);
    const { code, message, data } = await this.service.request(
      body ? 'POST' : 'GET',
      at,
      body ? { body } : {},
    );
    const text = JSON.stringify(code === 0 ? data : { code, message });
    return text
      .replaceAll(/case-[0-9a-f]{12}(-[b-h])?/g, this.name)
      .replaceAll(/fork_[0-9a-f]{32}/g, '<fork>')
      .replaceAll(/"revision":"[0-9a-f]{16}"/g, '"revision":""');
  }
}

/** Everything that the inspector, the debugger and simulations read of a transaction. */
export async function everything(
  service: TestService,
  chain: string,
  hash: string,
  name?: string,
): Promise<Answers> {
  const reader = new Reader(service, chain, name);
  const answers = new Map<string, string>();
  const read = async (path: string, body?: object): Promise<string> => {
    const answer = await reader.read(path, body);
    assert.doesNotMatch(answer, /^\{"code"/, `${path}: ${answer}`);
    answers.set(`${path} ${JSON.stringify(body ?? '')}`, answer);
    return answer;
  };
  const base = `/v1/explorer/<chain>/transaction/${hash}`;
  // The proof of a replay runs behind the first answer.
  await reader.read(`${base}/analysis?proof=wait`);
  for (const view of VIEWS) await read(base + view);

  const { steps } = JSON.parse(await read(`${base}/recording`)) as Recording;
  const { calls } = JSON.parse(await read(`${base}/recording/calls`)) as RecordedCalls;
  const places = new Set([0, steps - 1, ...calls.slice(0, 8).map(({ firstStep }) => firstStep)]);
  for (const step of places) {
    await read(`${base}/recording/step/${step}`);
    for (const scope of SCOPES)
      await read(`${base}/recording/step/${step}/variables?scope=${scope}`);
  }
  // Both directions.
  const middle = Math.floor(steps / 2);
  await read(`${base}/recording/find`, { from: middle, direction: 'forwards', mode: 'step' });
  await read(`${base}/recording/find`, { from: middle, direction: 'backwards', mode: 'step' });

  const { transaction } = JSON.parse(await read(`${base}/invocation-flow`)) as {
    transaction: { blockNumber: number; position: number; from: string; to: string };
  };
  const { blockNumber, position, from, to } = transaction;
  const calldata = JSON.parse(await reader.read(`${base}/invocation-flow`)) as {
    dataMap: Record<string, { invocation: { selector: string; callData: string } }>;
  };
  const { selector, callData } = calldata.dataMap['0']!.invocation;
  const data = selector.startsWith('0x') ? selector + callData.slice(2) : callData;
  const simulated = { from, to, data, height: `0x${blockNumber.toString(16)}`, position };
  await read('/v1/explorer/<chain>/simulate', simulated);
  await read(`/v1/explorer/<chain>/address/${to}`);
  await read(`/v1/explorer/<chain>/address/${to}/source?block=0x${blockNumber.toString(16)}`);
  await read(`/v1/explorer/<chain>/block/${blockNumber}/transactions`);
  return answers;
}
