import type { RecordedCalls, Recording } from '../../server/api/recording';
import { ApiError } from '../../server/api/errors';
import { grouped } from '../../server/client/format';
import * as l10n from '@vscode/l10n';
import type { ExecutedNode, InternalCall } from '../../media/inspector/protocol/protocol';
import type { ApiCallOptions, ApiClient } from '../model/api-client';

const A_PAGE = 1_000;
/** The most rows of a call tree. */
const MOST = 100_000;

/**
 * Calls, calls of functions inside contracts, and events of a recording, in order of execution.
 * @throws ApiError of the service; `recordingTooLarge`
 */
export async function executedNodes(
  client: ApiClient,
  { chain, transaction, contracts }: Recording,
  { signal }: Pick<ApiCallOptions, 'signal'>,
): Promise<ExecutedNode[]> {
  const found: { step: number; node: ExecutedNode }[] = [];
  for (let start = 0; ;) {
    const page = await client.call(
      'getRecordedCalls',
      { params: { chain, transaction }, query: { start: String(start), count: String(A_PAGE) } },
      { ...(signal && { signal }) },
    );
    if (page.total > MOST) {
      const text = l10n.t(
        'it makes {0} calls with those inside contracts; the call tree shows up to {1}',
        grouped(page.total),
        grouped(MOST),
      );
      throw new ApiError('recordingTooLarge', text);
    }
    found.push(...nodesOf(page, contracts));
    start += page.calls.length;
    if (page.calls.length === 0 || start >= page.total) break;
  }
  // Stable: a call comes before what happens at its first step.
  return found.sort((a, b) => a.step - b.step).map(({ node }) => node);
}

function nodesOf(
  { calls, events }: RecordedCalls,
  contracts: Recording['contracts'],
): { step: number; node: ExecutedNode }[] {
  const depths = new Map(calls.map(({ call, depth }) => [call, depth]));
  return [
    ...calls.map((recorded) => {
      const { depth, nodeId, firstStep: step, kind } = recorded;
      const internal = kind === 'internal' ? internalOf(recorded, contracts) : undefined;
      const node = {
        depth,
        ...(nodeId !== undefined && { nodeId }),
        ...(internal && { internal }),
      };
      return { step, node };
    }),
    ...events.map(({ nodeId, call, step }) => ({
      step,
      node: { depth: (depths.get(call) ?? 0) + 1, nodeId },
    })),
  ];
}

function internalOf(
  {
    call,
    address,
    contract,
    function: name,
    declaringContract,
    arguments: given,
    declaration,
  }: RecordedCalls['calls'][number],
  contracts: Recording['contracts'],
): InternalCall {
  const code = contract === null ? undefined : contracts[contract];
  return {
    call,
    address,
    name,
    contract: declaringContract ?? code?.name ?? '',
    ...(given && {
      arguments: given.map(({ name: parameter, type, value, unavailable }) => ({
        name: parameter,
        type,
        value: unavailable === undefined ? (type === 'address' ? value.toLowerCase() : value) : '?',
      })),
    }),
    // With the account, the inspector finds a source that is in no folder of the workspace.
    ...(declaration && {
      declaration: {
        ...declaration,
        ...(code?.origin && { from: code.origin, address: code.address }),
      },
    }),
  };
}
