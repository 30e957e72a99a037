import { join } from 'node:path';
import type { Log } from '../contracts/abi/sources';
import type { Metrics } from '../kernel/metrics/metrics';
import { RecordingFiles } from '../store/cache/recording-files';
import { TraceFiles } from '../store/cache/trace-files';

/** What was executed, kept on disk over restarts. */
export interface ExecutionFiles {
  readonly traceFiles: TraceFiles;
  readonly recordingFiles: RecordingFiles;
}

export function createExecutionFiles(parts: {
  dataDir: string;
  log: Log;
  metrics: Metrics;
}): ExecutionFiles {
  const { dataDir, log, metrics } = parts;
  const warn = log.warn.bind(log);
  const onLookUp = (cache: 'traces' | 'recordings') => (isHit: boolean) => {
    metrics.lookUp(cache, isHit);
  };
  return {
    traceFiles: new TraceFiles({
      folder: join(dataDir, 'cache', 'traces'),
      warn,
      onLookUp: onLookUp('traces'),
    }),
    recordingFiles: new RecordingFiles({
      folder: join(dataDir, 'recording-cache'),
      warn,
      onLookUp: onLookUp('recordings'),
    }),
  };
}
