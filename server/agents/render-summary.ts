import type { Colors } from 'picocolors/types';
import type { Summary } from '../api/summary';
import { summaryLines, type SummaryLine } from '../presentation/summary-lines';
import type { Naming } from '../presentation/quantity-segments';
import { writtenText, type Writing } from '../presentation/written-text';

export interface RenderSummaryOptions {
  colors: Colors;
  naming: Naming;
  writing: Writing;
  /** Whether the transaction succeeded. */
  status: boolean;
}

/** The sentence, the reasons of a failure and the findings, one a line. Numbers after `#` are nodes of the invocation flow. */
export function renderSummary(summary: Summary, options: RenderSummaryOptions): string {
  const { colors, naming, writing, status } = options;
  const styled = ({ kind }: SummaryLine, text: string): string => {
    switch (kind) {
      case 'sentence':
        return colors.bold(text);
      case 'failure':
        return colors.red(text);
      case 'contradiction':
      case 'finding':
        return colors.yellow(`! ${text}`);
      case 'party':
        return `  ${text}`;
      case 'cause':
      case 'swallowed':
        return text;
    }
  };
  return summaryLines(summary, status, naming)
    .map((line) => styled(line, writtenText(line.segments, writing)))
    .join('\n');
}
