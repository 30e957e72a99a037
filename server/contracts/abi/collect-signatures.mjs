// Collects the signatures of well-known contracts from packages that publish ABIs, for use without a network.
import { createHash } from 'node:crypto';
import { access, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Fragment } from 'ethers';

const PACKAGES = [
  '@openzeppelin/contracts',
  '@uniswap/v2-core',
  '@uniswap/v2-periphery',
  '@uniswap/v3-core',
  '@uniswap/v3-periphery',
  '@uniswap/universal-router',
  '@safe-global/safe-deployments',
  '@account-abstraction/contracts',
  '@balancer-labs/v2-deployments',
];
const KINDS = ['function', 'event', 'error'];
/** The packages' own test doubles. */
const SKIPPED = /mock|test|harness|certora/i;
/** Limit of the variants of one signature, which differ in names, indexed parameters and outputs. */
const MAX_READINGS = 2;

/** Writes the table that `package-signatures.ts` reads. Does nothing if the file was made from the same packages. */
export async function collectSignatures(outfile) {
  const folders = await Promise.all(PACKAGES.map(folderOf));
  const madeFrom = await fingerprint(folders);
  const present = await readFile(outfile, 'utf8').catch(() => '');
  if (present.startsWith(`{"madeFrom":"${madeFrom}"`)) return;
  const counts = { function: new Map(), event: new Map(), error: new Map() };
  for (const folder of folders) {
    for (const abi of await abisOf(folder)) {
      for (const item of abi) count(counts, item);
    }
  }
  const table = KINDS.map((kind) => [kind, toTable(kind, counts[kind])]);
  await mkdir(dirname(outfile), { recursive: true });
  const unfinished = `${outfile}.${process.pid}`;
  await writeFile(unfinished, `${JSON.stringify({ madeFrom, ...Object.fromEntries(table) })}\n`);
  await rename(unfinished, outfile);
}

/** Searches for the package's folder: its `exports` may hide its package.json. */
async function folderOf(name) {
  const modules = createRequire(import.meta.url).resolve.paths(name) ?? [];
  for (const folder of modules.map((path) => join(path, name))) {
    if (
      await access(folder).then(
        () => true,
        () => false,
      )
    )
      return folder;
  }
  throw new Error(`package ${name} is not installed`);
}

async function fingerprint(folders) {
  const hash = createHash('sha256').update(await readFile(fileURLToPath(import.meta.url)));
  for (const folder of folders) hash.update(await readFile(join(folder, 'package.json')));
  return hash.digest('hex').slice(0, 16);
}

async function abisOf(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, inside: path.slice(folder.length) }))
    .filter(({ inside }) => !SKIPPED.test(inside) && !inside.includes('node_modules'))
    .map(({ path }) => path)
    .sort();
  const abis = await Promise.all(files.map(async (path) => abiOf(await readFile(path, 'utf8'))));
  return abis.filter((abi) => abi !== undefined);
}

function abiOf(text) {
  if (!text.includes('"abi"')) return undefined;
  const { abi } = JSON.parse(text);
  return Array.isArray(abi) ? abi : undefined;
}

function count(counts, item) {
  if (!KINDS.includes(item?.type) || item.anonymous === true) return;
  let fragment;
  try {
    fragment = Fragment.from(item);
  } catch {
    return; // libraries refer to types that their ABI does not contain
  }
  const key = (fragment.type === 'event' ? fragment.topicHash : fragment.selector).slice(2, 10);
  const text = textOf(fragment);
  const readings = counts[fragment.type];
  const texts = readings.get(key) ?? new Map();
  readings.set(key, texts.set(text, (texts.get(text) ?? 0) + 1));
}

/** Includes the names if the result can be parsed again: some parameters have the names of keywords. */
function textOf(fragment) {
  const full = fragment
    .format('full')
    .replace(/^\w+ /, '')
    .replace(/\) (view|pure|payable|nonpayable)(?= |$)/, ')');
  try {
    Fragment.from(`${fragment.type} ${full}`);
    return full;
  } catch {
    return fragment.format('sighash');
  }
}

/** The most frequent variants of each hash, ordered by hash, so that the same packages produce the same file. */
function toTable(kind, readings) {
  const entries = [...readings].map(([key, texts]) => {
    const byFrequency = [...texts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
    return [
      key,
      distinctReadings(
        kind,
        byFrequency.map(([text]) => text),
      ),
    ];
  });
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Drops variants that differ only in names. */
function distinctReadings(kind, texts) {
  const seen = new Set();
  return texts
    .filter((text) => {
      const fragment = Fragment.from(`${kind} ${text}`);
      const key = [
        fragment.format('sighash'),
        ...fragment.inputs.map(({ indexed }) => String(indexed)),
        ...(fragment.outputs ?? []).map((output) => output.format('sighash')),
      ].join();
      return !seen.has(key) && seen.add(key);
    })
    .slice(0, MAX_READINGS);
}
