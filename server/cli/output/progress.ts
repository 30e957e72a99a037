import type { OnProgress } from '../../api/progress';

interface Target {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/**
 * Shows progress on standard error: in a terminal one line that is overwritten, elsewhere one line for each stage.
 * @returns `end` removes the line
 */
export function createProgress(target: Target): {
  show: OnProgress;
  say: (text: string) => void;
  end: () => void;
} {
  let shown = '';
  const line = (text: string): void => {
    if (text === shown) return;
    shown = text;
    if (target.isTTY === true) {
      target.write(`\r\u001b[K${text.slice(0, (target.columns ?? 80) - 1)}`);
    } else {
      target.write(`${text}\n`);
    }
  };
  return {
    say: line,
    show: ({ stage, done, total }) => {
      line(target.isTTY === true && total > 0 ? `${stage}: ${done} of ${total}` : stage);
    },
    end: () => {
      if (target.isTTY === true && shown !== '') target.write('\r\u001b[K');
      shown = '';
    },
  };
}
