import type { DebugProtocol } from '@vscode/debugprotocol';
import type { RecordedTransaction } from './recorded-transaction';

const GLOBALS = {
  msg: ['sender', 'value', 'data', 'sig'],
  block: [
    'number',
    'timestamp',
    'chainid',
    'coinbase',
    'gaslimit',
    'basefee',
    'prevrandao',
    'blobbasefee',
  ],
  tx: ['origin', 'gasprice'],
};

/** Completes a name, or a member behind a dot, in an expression. @param column from 1, of the cursor */
export async function completions(
  recorded: RecordedTransaction,
  { step, call }: { step: number; call: number },
  text: string,
  column: number,
): Promise<DebugProtocol.CompletionItem[]> {
  const before = text.slice(0, column - 1);
  const [, object, prefix = ''] =
    /(?:([A-Za-z_$][\w$.[\]]*)\.)?([A-Za-z_$][\w$]*)?$/.exec(before) ?? [];
  const names = object === undefined ? await namesInScope() : await membersOf(object);
  return names
    .filter((name) => name.toLowerCase().startsWith(prefix.toLowerCase()))
    .map((name) => ({
      label: name,
      start: column - prefix.length,
      length: prefix.length,
      type: object === undefined ? 'variable' : 'field',
    }));

  async function namesInScope(): Promise<string[]> {
    const scopes = await Promise.all(
      (['locals', 'state'] as const).map((scope) =>
        recorded.variables(step, { scope, call, count: 1_000 }),
      ),
    );
    const names = scopes.flatMap(({ variables }) => variables.map(({ name }) => name));
    return [...new Set([...names, ...Object.keys(GLOBALS), 'this'])];
  }

  async function membersOf(object: string): Promise<string[]> {
    const known = Object.entries(GLOBALS).find(([name]) => name === object)?.[1];
    if (known !== undefined) return known;
    const variable = await recorded.evaluate(step, object, call).catch(() => undefined);
    if (variable?.reference === undefined) return [];
    const { reference } = variable;
    const scope = variable.location === 'storage' ? 'state' : 'locals';
    const { variables } = await recorded.variables(step, { scope, call, reference, count: 100 });
    return variables.map(({ name }) => name).filter((name) => /^[A-Za-z_$]/.test(name));
  }
}
