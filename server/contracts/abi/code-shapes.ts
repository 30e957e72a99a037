import { readFile } from 'node:fs/promises';
import { keccak256 } from 'ethers';
import { LRUCache } from 'lru-cache';
import type { Hex } from '../../api/primitives';
import { ContractInterface, type FunctionShape } from '../../analysis/contract-interface';
import { inSlices, type Work } from '../../kernel/async/slices';
import { builtFile } from '../../kernel/files/built-file';

/** Reads the functions of bytecode: their selectors, and the argument types that can be inferred. */
export type ReadShapes = (code: Hex) => Promise<readonly FunctionShape[]>;

const CACHED_CODES = 500;
/** Limit per analysis: reading one contract's code takes a few milliseconds. */
const MAX_CODES = 20;
const MAX_CODE_CHARACTERS = 100_000;

/** Infers functions without a known signature from bytecode. */
export class CodeShapes {
  readonly #cache = new LRUCache<Hex, readonly FunctionShape[]>({ max: CACHED_CODES });

  constructor(private readonly read: ReadShapes = readWithEvmole) {}

  /** @param selectors selectors without a signature */
  async of(
    codes: Iterable<Hex>,
    selectors: ReadonlySet<Hex>,
    signal?: AbortSignal,
  ): Promise<ContractInterface | undefined> {
    const holders = await inSlices(holdersWork(codes, selectors), signal);
    const shapes: FunctionShape[] = [];
    for (const code of holders) shapes.push(...(await this.#shapesOf(code)));
    const wanted = shapes.filter(({ selector }) => selectors.has(selector));
    return wanted.length === 0 ? undefined : ContractInterface.fromShapes(wanted);
  }

  async #shapesOf(code: Hex): Promise<readonly FunctionShape[]> {
    const key = keccak256(code) as Hex;
    let shapes = this.#cache.get(key);
    if (!shapes) {
      shapes = await this.read(code).catch(() => []); // unusual bytecode must not fail an analysis
      this.#cache.set(key, shapes);
    }
    return shapes;
  }
}

/**
 * The first codes that contain one of the selectors. Each code is read once, however many selectors there are: a transaction may make
 * thousands of calls to thousands of contracts.
 */
function* holdersWork(codes: Iterable<Hex>, selectors: ReadonlySet<Hex>): Work<Hex[]> {
  const wanted = new Set([...selectors].map((selector) => Number(selector)));
  const holders: Hex[] = [];
  for (const code of new Set(codes)) {
    if (holders.length === MAX_CODES) break;
    if (code.length > MAX_CODE_CHARACTERS) continue;
    if (hasOneOf(wanted, Buffer.from(code.slice(2), 'hex'))) holders.push(code);
    yield 1;
  }
  return holders;
}

/** @param words of 4 bytes */
function hasOneOf(words: ReadonlySet<number>, bytes: Buffer): boolean {
  let word = 0;
  for (const [index, byte] of bytes.entries()) {
    word = ((word << 8) | byte) >>> 0;
    if (index >= 3 && words.has(word)) return true;
  }
  return false;
}

/** Loads the WebAssembly module of evmole on first use. */
async function loadEvmole(): Promise<ReadShapes> {
  const path = builtFile('evmole_bg.wasm');
  if (path === undefined) return () => Promise.resolve([]);
  const { contractInfo, initSync } = await import('evmole/no_tla');
  initSync({ module: await readFile(path) });
  return (code) => {
    const { functions = [] } = contractInfo(code, { selectors: true, arguments: true });
    const shapes = functions.map((one): FunctionShape => ({
      selector: `0x${one.selector}`,
      types: one.arguments ?? '',
    }));
    return Promise.resolve(shapes);
  };
}

let evmole: Promise<ReadShapes> | undefined;
const readWithEvmole: ReadShapes = async (code) => (await (evmole ??= loadEvmole()))(code);
