import { readFile } from 'node:fs/promises';
import type { ReorderRequest } from '../../api/reorder';
import { forkOtherBlock } from '../../client/fork-other-block';
import { otherBlockLines } from '../../client/other-block-lines';
import type { Input } from '../command-specs/commands';
import { UsageError } from '../errors/usage-error';
import type { Handler } from './context';
import { callOptions } from './located-transaction';
import { findChain, findProject } from './references';

type Changes = ReorderRequest['changes'];

/** Executes a past block with other transactions, or in another order. */
export const reorderCommand: Handler<'reorder'> = async (input, context) => {
  const { connection, out, signal } = context;
  const { client } = connection;
  const chain = await findChain(client, input.chain);
  const changes = await changesOf(input);
  const other = await client.call(
    'reorder',
    {
      params: { chain },
      body: { block: input.block, changes, state: input.fork !== undefined },
    },
    callOptions(context, 'minutes'),
  );
  const fork =
    input.fork === undefined
      ? undefined
      : await forkOtherBlock(
          client,
          {
            projectId: (await findProject(client, input.project)).projectId,
            name: input.fork,
            other,
          },
          { ...callOptions(context, 'minutes'), signal },
        );
  const answer = fork === undefined ? other : Object.assign(other, { fork });
  out.result(answer, () =>
    otherBlockLines(other, fork, { chain: input.chain, colors: out.colors }),
  );
  const { receipts, state } = other.check;
  if (receipts === 'different' || state === 'different') process.exitCode = 1;
};

async function changesOf(input: Input<'reorder'>): Promise<Changes> {
  const { valueOf } = await import('../analysis/transaction-field');
  const fields = new Map<number, Record<string, string>>();
  for (const [position, field, value] of input.set) {
    const known = fields.get(position) ?? {};
    known[field] = valueOf(field, value);
    fields.set(position, known);
  }
  const inserted: Changes = [];
  for (const [what, before] of input.insert) {
    if (/^0x[0-9a-fA-F]{64}$/.test(what)) {
      inserted.push({ kind: 'insertMined', before, hash: what });
    } else if (/^0x[0-9a-fA-F]{66,}$/.test(what)) {
      inserted.push({ kind: 'insertSigned', before, raw: what });
    } else inserted.push({ kind: 'insert', before, transaction: await readTransaction(what) });
  }
  return [
    ...input.drop.map((position) => ({ kind: 'drop', position }) as const),
    ...input.move.map(([position, before]) => ({ kind: 'move', position, before }) as const),
    ...Array.from(fields, ([position, set]) => ({ kind: 'set', position, fields: set }) as const),
    ...inserted,
  ];
}

type Inserted = Extract<Changes[number], { kind: 'insert' }>['transaction'];

/** A transaction in a file; the service checks its fields. */
async function readTransaction(file: string): Promise<Inserted> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new UsageError(`--insert cannot be read: ${(error as Error).message}`);
  });
  try {
    return JSON.parse(text) as Inserted;
  } catch {
    throw new UsageError(
      `--insert is ${JSON.stringify(file)}; accepted: a file with from, to, value, data, gas and gasPrice as JSON`,
    );
  }
}
