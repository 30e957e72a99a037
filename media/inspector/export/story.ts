import { countGuesses, guessTexts } from '../../../server/presentation/guesses';
import type { Names, Segment } from '../../../server/presentation/segment';
import {
  referredNodes,
  summaryLines,
  type SummaryLine,
} from '../../../server/presentation/summary-lines';
import { writtenText, type Writing } from '../../../server/presentation/written-text';
import type { Flow } from '../protocol/protocol';
import { markdownText } from './markdown';

const LINE_LIMIT = 2000;
const WRITING: Writing = { shown: 66, shownList: 66, isForModel: false };

/** What a transaction did, as Markdown. */
interface Story {
  /** Empty if nothing is known. */
  readonly text: string;
  /** Addresses of which the text has the names alone. */
  readonly named: ReadonlySet<string>;
  /** Nodes to which the text refers by number. */
  readonly referred: ReadonlySet<number>;
}

/** The sentence, the parties, what the state contradicts, why the transaction failed, and the findings. Untrusted text is inert. */
export function story({ summary, status, transaction, rows }: Flow, names: Names): Story {
  if (!summary) return { text: '', named: new Set(), referred: new Set() };
  const naming = { names, nativeSymbol: transaction.nativeSymbol };
  const lines = summaryLines(summary, status, naming);
  const segments = lines.flatMap((line) => line.segments);
  const blocks = [
    lines.filter(({ kind }) => kind === 'sentence').map(lineText),
    [
      ...lines.filter(({ kind }) => kind !== 'sentence').map(lineText),
      ...guessTexts(countGuesses(rows)).map((text) => markdownText(text)),
    ].map((text) => `- ${text}`),
  ];
  return {
    text: blocks
      .filter((block) => block.length > 0)
      .map((block) => block.join('\n'))
      .join('\n\n'),
    named: new Set(segments.flatMap(addressOf)),
    referred: referredNodes(summary),
  };
}

/** An account has its name, or its full address. */
const lineText = ({ kind, segments }: SummaryLine): string => {
  const text = markdownText(writtenText(segments.map(withAddress), WRITING), LINE_LIMIT);
  return kind === 'contradiction' || kind === 'finding' ? `**!** ${text}` : text;
};

function withAddress(segment: Segment): Segment {
  const { kind, foreign, whole } = segment;
  const isUnnamed = foreign === undefined && whole !== undefined;
  return isUnnamed && (kind === 'address' || kind === 'unit')
    ? { ...segment, text: whole }
    : segment;
}

const addressOf = ({ kind, foreign, whole }: Segment): string[] =>
  kind === 'address' && foreign !== undefined && whole !== undefined ? [whole] : [];
