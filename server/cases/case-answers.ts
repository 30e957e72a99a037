import type { Address } from '../api/primitives';
import type { KeptAnswers } from '../chains/upstream/kept-answers';
import { jsonPieces } from '../kernel/async/json-pieces';
import type { Work } from '../kernel/async/slices';

const NEWLINE = Buffer.from('\n');
/** Bytes that are searched at a time. */
const WINDOW = 64 * 1024;
/** In plain form, or as a word. */
const ADDRESS = /(?=(?:0x|0{24})([0-9a-f]{40}))/g;
const LONGEST = 24 + 40;

/** The answers as a case file has them: a JSON document a line. */
export function* answersWork(answers: KeptAnswers): Work<Buffer> {
  const pieces: Buffer[] = [];
  for (const answer of answers.list()) {
    for (const piece of jsonPieces(answer)) {
      pieces.push(Buffer.from(piece));
      yield 1;
    }
    pieces.push(NEWLINE);
  }
  return Buffer.concat(pieces);
}

/** Addresses that occur in answers: in plain form, and in words. */
export function* occurringAddressesWork(answers: Buffer): Work<ReadonlySet<Address>> {
  const found = new Set<Address>();
  for (let at = 0; at < answers.length; at += WINDOW) {
    // What begins in a window may end in the next one.
    const text = answers.toString('latin1', at, at + WINDOW + LONGEST).toLowerCase();
    for (const [, digits = ''] of text.matchAll(ADDRESS)) found.add(`0x${digits}`);
    yield 1;
  }
  return found;
}
