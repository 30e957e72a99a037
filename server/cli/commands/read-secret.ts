import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

/** Prompts in the terminal for a text without echoing it. @throws AbortError */
export function readSecret(prompt: string, signal: AbortSignal): Promise<string> {
  process.stderr.write(prompt);
  const silent = new Writable({
    write: (_chunk, _encoding, done) => {
      done();
    },
  });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
  return new Promise((resolve, reject) => {
    const finish = (end: () => void): void => {
      lines.close();
      process.stderr.write('\n');
      end();
    };
    lines.once('line', (text) => {
      finish(() => {
        resolve(text);
      });
    });
    // In raw mode Ctrl-C is a character, which readline reports as an event.
    const cancel = (): void => {
      finish(() => {
        reject(new DOMException('cancelled', 'AbortError'));
      });
    };
    lines.once('SIGINT', cancel);
    signal.addEventListener('abort', cancel, { once: true });
  });
}
