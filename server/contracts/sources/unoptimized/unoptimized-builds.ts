import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { KnownSource, UnoptimizedBuilder } from '../code-sources';
import { toProgram } from '../code-sources';
import type { CompiledContract } from '../compiled-contract';
import type { CompilerInput } from '../compilation';
import type { Compilers } from '../compilers/compilers';
import type { SolcOutput } from '../compilers/solc-job';
import type { ExecutedCode, Unoptimized } from '../program-source';
import { buildSettings, isStackTooDeep, type BuildSettings } from './build-settings';
import { openBuilt, type BuiltContract } from './built-contract';
import { link, linkedLibraries, withImmutables, withOwnAddress } from './own-values';

/** Contracts of the same sources and settings, which are compiled at once. */
interface Unit {
  readonly input: CompilerInput;
  readonly names: Set<string>;
}

interface Request {
  readonly source: KnownSource;
  readonly executed: ExecutedCode;
  readonly unit: Unit;
}

type Failure = Extract<Unoptimized, { reason: string }>;
type Output = { readonly output: SolcOutput; readonly settings: BuildSettings } | Failure;

const OUTPUTS = [
  'evm.bytecode.object',
  'evm.bytecode.sourceMap',
  'evm.bytecode.linkReferences',
  'evm.deployedBytecode.object',
  'evm.deployedBytecode.sourceMap',
  'evm.deployedBytecode.linkReferences',
  'evm.deployedBytecode.immutableReferences',
  'storageLayout',
  'transientStorageLayout',
];
const KEPT = 100;
/** Of more files only the wanted contracts are compiled. */
const FILES_AT_ONCE = 150;

/** Builds the sources of executed codes again, without the optimizer, by compilers of this machine. */
export class UnoptimizedBuilds implements UnoptimizedBuilder {
  readonly #built = new LRUCache<string, BuiltContract>({ max: KEPT });

  constructor(private readonly compilers: Pick<Compilers, 'whyNot' | 'compile'>) {}

  async build(
    wanted: Parameters<UnoptimizedBuilder['build']>[0],
    signal: AbortSignal,
  ): Promise<readonly (Unoptimized | undefined)[]> {
    const units = new Map<string, Unit>();
    const requests: (Request | Failure | undefined)[] = [];
    for (const { source, executed } of wanted) {
      signal.throwIfAborted();
      requests.push(await requestFor(source, executed, units));
    }
    const outputs = new Map<Unit, Map<string, Output>>();
    for (const unit of units.values()) {
      outputs.set(unit, await this.#compileUnit(unit, signal));
    }
    const answers: (Unoptimized | undefined)[] = [];
    for (const request of requests) {
      if (!request || 'reason' in request) answers.push(request);
      else {
        const { name } = nameOf(request.source);
        const output = outputs.get(request.unit)?.get(name);
        answers.push(output && (await this.#buildOf(request, output)));
      }
    }
    return answers;
  }

  /** All contracts at once, for the next transaction as well; where that needs some optimization, each wanted one alone. */
  async #compileUnit(unit: Unit, signal: AbortSignal): Promise<Map<string, Output>> {
    const names = [...unit.names].sort();
    const isSmall = Object.keys(unit.input.sources).length <= FILES_AT_ONCE;
    const together = await this.#compile(unit.input, isSmall ? ['*'] : names, signal, 1);
    const found = new Map(names.map((name) => [name, together]));
    if (!('reason' in together) || !isStackTooDeep(together.reason)) return found;
    for (const name of names) found.set(name, await this.#compile(unit.input, [name], signal));
    return found;
  }

  /**
   * With the least optimization that compiles.
   * @param most number of settings to try
   */
  async #compile(
    input: CompilerInput,
    names: readonly string[],
    signal: AbortSignal,
    most = Infinity,
  ): Promise<Output> {
    const { compilerVersion: version, sources } = input;
    const missing = await this.compilers.whyNot(version);
    if (missing !== undefined) {
      const [short = ''] = version.split('+');
      return { reason: missing, ...(/^\d+\.\d+\.\d+$/.test(short) && { missing: short }) };
    }
    const selected = Object.fromEntries(names.map((name) => [name, OUTPUTS]));
    let first: string | undefined;
    for (const settings of buildSettings(input).slice(0, most)) {
      signal.throwIfAborted();
      const outputSelection = { '*': { ...selected, '': ['ast'] } };
      const whole = { ...settings.settings, outputSelection };
      const given = JSON.stringify({ language: 'Solidity', sources, settings: whole });
      const compiled = await this.compilers.compile(version, given);
      if ('output' in compiled) return { output: compiled.output, settings };
      first ??= compiled.reason;
      if (settings.text === FIRST && !isStackTooDeep(compiled.reason)) break;
    }
    return { reason: first ?? 'it does not compile' };
  }

  async #buildOf(
    { source, executed, unit }: Request,
    output: Output,
  ): Promise<Unoptimized | undefined> {
    if ('reason' in output) return output;
    const { name, file } = nameOf(source);
    const candidates = output.output.contracts.filter((one) => one.name === name);
    const made = candidates.find((one) => one.file === file) ?? candidates[0];
    if (!made || (candidates.length > 1 && made.file !== file)) {
      return { reason: `its sources have no contract ${name}, or several` };
    }
    const key = createHash('sha256')
      .update(`${source.identity}\n${made.file}\n${made.deployed.object}\n${made.creation.object}`)
      .digest('hex');
    const built =
      this.#built.get(key) ??
      (await openBuilt(source, made, output.output, output.settings, unit.input));
    this.#built.set(key, built);
    const digits = filledCode(source.contract, built, executed);
    if ('reason' in digits) return digits;
    const known = { contract: built.contract, match: 'exact' as const, identity: source.identity };
    const program = await toProgram(known, undefined, executed);
    if (!program) return { reason: 'its unoptimized build has no source map' };
    return { code: `0x${digits.digits}`, program, settings: output.settings.text };
  }
}

const FIRST = 'without the optimizer';

/** Undefined: nothing can be built, or nothing would be gained. */
async function requestFor(
  source: KnownSource | undefined,
  executed: ExecutedCode,
  units: Map<string, Unit>,
): Promise<Request | Failure | undefined> {
  if (!source) return undefined;
  const { contract } = source;
  const { settings, language, ast, input } = contract.compilation;
  if (language !== 'Solidity') return undefined;
  const isOptimized = settings.optimizer !== false || settings.viaIR === true;
  if (!isOptimized && (await ast?.()) !== undefined) return undefined;
  if (!input) return { reason: 'what its compiler was given is not known' };
  const files = await contract.files();
  const texts = Object.fromEntries(
    files.flatMap(({ file, text }) => (text ? [[file.name, { content: text.content }]] : [])),
  );
  const given = await input(texts);
  if (!given) return { reason: 'not all of what its compiler was given is known' };
  const key = createHash('sha256').update(JSON.stringify(given)).digest('hex');
  const unit = units.get(key) ?? { input: given, names: new Set<string>() };
  units.set(key, unit);
  unit.names.add(nameOf(source).name);
  return { source, executed, unit };
}

/** The contract, and the file of its source, if that is certain. */
function nameOf({ contract }: KnownSource): { name: string; file: string | undefined } {
  const { contractName } = contract.compilation;
  const [, before, name = contractName] = /^(?:(.*):)?([^:]+)$/.exec(contractName) ?? [];
  const first = (contract.deployed ?? contract.creation)?.at(0)?.file;
  return { name, file: before ?? (first === undefined ? undefined : contract.text(first)?.file) };
}

function filledCode(
  original: CompiledContract,
  built: BuiltContract,
  { code, isCreation }: ExecutedCode,
): ReturnType<typeof link> {
  const executed = code.slice(2).toLowerCase();
  const { deployed, creation } = original.compilation;
  const object = (isCreation ? creation : deployed)?.object ?? '';
  const made = isCreation ? built.creation : built.deployed;
  if (object === '' || made.object === '') return { reason: 'it has no code to build' };
  const linked = link(made.object, linkedLibraries(object, executed));
  if ('reason' in linked) return linked;
  if (isCreation) return { digits: linked.digits + executed.slice(object.length) };
  const own = withOwnAddress(linked.digits, executed);
  return withImmutables(own, { code: made, contract: built.contract }, original, executed);
}
