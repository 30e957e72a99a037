import { flowPart } from '../../media/inspector/protocol/analysis-parts';
import { namesOf } from '../../server/presentation/segment';
import { matcherOf } from '../../media/inspector/search/matcher';
import { parseQuery } from '../../media/inspector/search/query';
import { SearchIndex } from '../../media/inspector/search/search-index';
import { alignTrees } from '../../media/inspector/compare/align-trees';
import { compareRows } from '../../media/inspector/compare/differences';
import { buildCallTree } from '../../media/inspector/model/tree-model';
import { fixture, hugeRows } from '../ui-components/fixtures';

/*
 * Measures the inspector's search through 100,000 rows: first the texts of the rows, which the inspector builds between frames while the
 * search is open, then one search of each kind. Also measures the alignment of two call trees of 10,000 rows.
 *
 *     npm run bench -- search
 */

const ROWS = 100_000;
const COMPARED = 10_000;
const ROUNDS = 5;
const QUERIES = [
  'usdc',
  'fn:swap',
  'gas>1000',
  'address:router',
  '-type:event transfer',
  '0xdac17f958d2ee523a2206206994597c13d831ec7',
  'to:0xa0b8…eb48 value=0',
];
const NEVER = new AbortController().signal;

async function timed(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
const report = (what: string, milliseconds: number): void => {
  console.log(`${what.padEnd(56)} ${milliseconds.toFixed(1).padStart(8)} ms`);
};

async function search(): Promise<void> {
  const { rows: few, labels } = flowPart(fixture('swap').flow);
  const names = namesOf(labels);
  const rows = Array.from({ length: ROWS }, (_, at) => structuredClone(few[at % few.length]!));
  const index = new SearchIndex(rows, names);
  report('texts of all rows, once', await timed(() => index.warm(NEVER)));
  for (const query of QUERIES) {
    const parsed = parseQuery(query);
    if (!parsed.ok) throw new Error(`${query}: ${parsed.problem.message}`);
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const matcher = matcherOf(parsed.terms, names);
      times.push(await timed(() => index.search(matcher, NEVER)));
    }
    report(`search, best of ${ROUNDS}: ${query}`, Math.min(...times));
  }
}

async function compare(): Promise<void> {
  const left = buildCallTree(hugeRows(COMPARED, 40));
  const right = buildCallTree(hugeRows(COMPARED, 40).filter((_, at) => at % 97 !== 5));
  const work = (): unknown => compareRows(left, right, alignTrees(left, right));
  report(`two trees of ${COMPARED} rows aligned and compared`, await timed(work));
}

void search().then(compare);
