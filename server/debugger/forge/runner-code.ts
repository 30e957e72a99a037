import { createHash } from 'node:crypto';
import type { UnoptimizedBuild } from '../../contracts/sources/program-source';
import { SourceMap } from '../../contracts/sources/source-map';
import { SourceText } from '../../contracts/sources/source-text';
import { isCreationKind } from '../../evm/interpreter/frame';
import type { ForgeCall, NamedTest } from './forge-output';

const [CALL, CREATE, CREATE2, POP, STOP, REVERT] = [0xf1, 0xf0, 0xf5, 0x50, 0x00, 0xfd];
const [PUSH0, PUSH20, PUSH32] = [0x5f, 0x73, 0x7f];
const [RETURNDATASIZE, RETURNDATACOPY] = [0x3d, 0x3e];
const FILE = 0;
const INDENT = '    ';
/** Of the arguments in a line, in characters. */
const MOST_ARGUMENTS = 200;

/** Code that makes calls one after the other, without their data, and passes on the failure of the last one; and a text with a line for each. */
export function runnerCode(
  named: NamedTest,
  calls: readonly ForgeCall[],
): { code: Uint8Array; program: UnoptimizedBuild } {
  const bytes: number[] = [];
  const entries: string[] = [];
  let text = `// What forge executed for ${titleOf(named)}, in this order.\nfunction run() {\n`;
  const add = (instructions: readonly (readonly number[])[], range: string): void => {
    for (const one of instructions) {
      bytes.push(...one);
      entries.push(range);
    }
  };
  for (const [index, call] of calls.entries()) {
    text += INDENT;
    const line = `${lineOf(named, call)};`;
    const range = `${Buffer.byteLength(text)}:${Buffer.byteLength(line)}:${FILE}:-`;
    text += `${line}\n`;
    add([...callOf(call), [POP]], range);
    if (index === calls.length - 1) add(endOf(call), range);
  }
  text += '}\n';
  const code = Uint8Array.from(bytes);
  const digits = Buffer.from(code).toString('hex');
  const map = SourceMap.of(entries.join(';'), digits);
  if (!map) throw new RangeError('the code has fewer instructions than its map');
  const files = new Map([[FILE, new SourceText(`forge/${titleOf(named)}`, text)]]);
  const identity = createHash('sha256').update(text).update(digits).digest('hex');
  return {
    code,
    program: {
      code: `0x${digits}`,
      settings: '',
      program: {
        map,
        files,
        text: (file) => files.get(file),
        contractName: 'forge',
        language: '',
        compilerVersion: '',
        optimizer: false,
        ast: new Map(),
        immutables: [],
        origin: 'workspace',
        identity,
      },
    },
  };
}

function callOf({ trace: { kind, value, address } }: ForgeCall): number[][] {
  const wei = [PUSH32, ...Buffer.from(BigInt(value).toString(16).padStart(64, '0'), 'hex')];
  const noRange = [[PUSH0], [PUSH0]];
  if (kind === 'CREATE') return [...noRange, wei, [CREATE]];
  if (kind === 'CREATE2') return [[PUSH0], ...noRange, wei, [CREATE2]];
  const to = [PUSH20, ...Buffer.from(address.slice(2), 'hex')];
  return [...noRange, ...noRange, wei, to, [PUSH0], [CALL]];
}

const endOf = ({ trace }: ForgeCall): number[][] =>
  trace.success
    ? [[STOP]]
    : [[RETURNDATASIZE], [PUSH0], [PUSH0], [RETURNDATACOPY], [RETURNDATASIZE], [PUSH0], [REVERT]];

/** `VaultTest.test_withdraw` */
export const titleOf = ({ contract, name }: NamedTest): string =>
  `${contract.replace(/^.*:/, '')}.${name.replace(/\(.*$/, '')}`;

/** A call as a line of the text, such as `VaultTest.setUp()`. */
function lineOf(named: NamedTest, call: ForgeCall): string {
  const { contract, test } = named;
  const own = contract.replace(/^.*:/, '');
  const { kind, address, data } = call.trace;
  const tested = addressOf(test.traces);
  const name = address === tested ? own : (nameIn(test, address) ?? address);
  if (isCreationKind(kind)) return `new ${name}()`;
  const known = test.counterexample.find(
    ({ calldata, addr }) => calldata === data && (addr === null || addr === address),
  );
  const args = (known?.raw_args ?? '').slice(0, MOST_ARGUMENTS);
  if (address === tested) {
    const isSetUp = test.traces.some(
      ([of, { arena }]) => of === 'Setup' && arena[0]?.trace.data === data,
    );
    const [, bare = named.name] = /^(.*?)\(/.exec(named.name) ?? [];
    return isSetUp ? `${name}.setUp()` : `${name}.${bare}(${args})`;
  }
  const contractName = known?.contract_name?.replace(/^.*:/, '') ?? name;
  return `${contractName}.${known?.func_name ?? data.slice(0, 10)}(${args})`;
}

const nameIn = (
  { labeled_addresses: labels }: NamedTest['test'],
  address: string,
): string | undefined =>
  Object.entries(labels).find(([labeled]) => labeled.toLowerCase() === address)?.[1];

/** Of the contract that has the test: the last one that forge deployed itself. */
function addressOf(traces: NamedTest['test']['traces']): string | undefined {
  const deployed = traces.findLast(([kind]) => kind === 'Deployment');
  return deployed?.[1].arena[0]?.trace.address;
}
