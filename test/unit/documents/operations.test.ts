import { Metrics } from '../../../server/kernel/metrics/metrics';
import { checkGenerated } from '../../support/documents';

/** One row for each metric of the service itself, in the order of the text. */
async function metricRows(): Promise<string[]> {
  const metrics = new Metrics('1.0.0');
  metrics.readFrom({
    forks: () => new Map([['running', 0]]),
    engines: () => ({ forks: 0, executions: 0, limit: 0, waiting: 0 }),
    executionsWaiting: () => 0,
    webSockets: () => 0,
    longestStall: () => ({ seconds: 0, processorSeconds: 0 }),
    database: () => ({ used: 0, idle: 0, waiting: 0 }),
  });
  metrics.request({ method: 'GET', url: '/', status: 200, seconds: 0 });
  metrics.wake(0, false);
  metrics.upstream('eth', { calls: 0, failed: 0, seconds: 0 });
  metrics.lookUp('traces', true);
  const text = await metrics.text();
  const helps = [...text.matchAll(/^# HELP (forklens_\w+) (.*)\n# TYPE \w+ (\w+)\n(.*)$/gm)];
  return helps.map(([, name, help, type, sample = '']) => {
    const labels = [...sample.matchAll(/(\w+)="/g)].map(([, label]) => `\`${label ?? ''}\``);
    const own = labels.filter((label) => label !== '`le`').join(', ');
    return `| \`${name ?? ''}\` | ${type ?? ''} | ${own} | ${help ?? ''} |`;
  });
}

describe('server/OPERATIONS.md', () => {
  it('lists every metric, which UPDATE_GOLDENS=1 writes', async () => {
    const head = ['| metric | type | labels | what it counts |', '| --- | --- | --- | --- |'];
    const table = [...head, ...(await metricRows())].join('\n');
    checkGenerated('server/OPERATIONS.md', 'metrics', table);
  });
});
