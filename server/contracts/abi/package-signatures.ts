import { readFile } from 'node:fs/promises';
import { ContractInterface } from '../../analysis/contract-interface';
import { builtFile } from '../../kernel/files/built-file';
import type { SignatureSource, WantedSignatures } from './sources';

/** Human-readable fragments without their keyword, by the first 4 bytes (8 hex digits) of their hash. */
export interface SignatureTable {
  readonly function: Readonly<Record<string, readonly string[]>>;
  readonly event: Readonly<Record<string, readonly string[]>>;
  readonly error: Readonly<Record<string, readonly string[]>>;
}

const KINDS = ['function', 'event', 'error'] as const;

/** Signatures that the build collected from the ABIs of well-known packages. Loads the table on first use. */
export class PackageSignatures implements SignatureSource {
  #table: Promise<SignatureTable | undefined> | undefined;

  constructor(private readonly load: () => Promise<SignatureTable | undefined> = loadTable) {}

  async candidates({ selectors, topics }: WantedSignatures): Promise<readonly ContractInterface[]> {
    if (selectors.size + topics.size === 0) return [];
    const table = await (this.#table ??= this.load());
    if (!table) return [];
    const wanted = { function: selectors, error: selectors, event: topics };
    const fragments = KINDS.flatMap((kind) =>
      [...wanted[kind]].flatMap((hash) =>
        (table[kind][hash.slice(2, 10)] ?? []).map((text) => `${kind} ${text}`),
      ),
    );
    return fragments.length === 0 ? [] : [ContractInterface.fromAbi(fragments, 'packages')];
  }
}

/** Undefined if the build has not produced the table. */
async function loadTable(): Promise<SignatureTable | undefined> {
  const path = builtFile('signatures.json');
  return path === undefined
    ? undefined
    : (JSON.parse(await readFile(path, 'utf8')) as SignatureTable);
}
