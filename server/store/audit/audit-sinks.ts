import { appendFile } from 'node:fs/promises';
import type { AuditEntry } from '../../api/audit';
import type { Config } from '../../api/config';
import type { AuditSink } from '../../projects/ports';
import { SinkQueue, type Send } from './sink-queue';
import { syslogMessage } from './syslog-message';
import { SyslogStream } from './syslog-stream';
import { sendDatagrams } from './syslog-datagrams';

interface OpenSink {
  queue: SinkQueue;
  textOf: (entry: AuditEntry) => string;
  close: () => void;
}

/** Copies of the audit log outside the service. They never delay a request. */
export class AuditSinks implements AuditSink {
  readonly #sinks: OpenSink[];

  /** @param warn reports a sink that fails, once until it works again */
  constructor(
    { file, syslog }: Config['audit'],
    private readonly warn: (facts: object, message: string) => void,
  ) {
    this.#sinks = [
      ...(file === undefined ? [] : [this.#open(file, fileSink(file), lineOf)]),
      ...(syslog === undefined ? [] : [this.#openSyslog(syslog)]),
    ];
  }

  write(entry: AuditEntry): void {
    for (const { queue, textOf } of this.#sinks) queue.add(textOf(entry));
  }

  /** Sends what waits, for a short time. */
  async close(): Promise<void> {
    await Promise.all(this.#sinks.map(({ queue }) => queue.close()));
    for (const sink of this.#sinks) sink.close();
  }

  #openSyslog(syslog: string): OpenSink {
    const url = new URL(syslog);
    if (url.protocol === 'udp:') return this.#open(syslog, sendDatagrams(url), syslogMessage);
    const stream = new SyslogStream(url);
    const sink = this.#open(syslog, (texts) => stream.send(texts), syslogMessage);
    return {
      ...sink,
      close: () => {
        stream.close();
      },
    };
  }

  #open(name: string, send: Send, textOf: OpenSink['textOf']): OpenSink {
    const queue = new SinkQueue(send, {
      failed: (error) => {
        this.warn({ err: error, sink: name }, 'the copy of the audit log cannot be written');
      },
      works: (lost) => {
        this.warn({ sink: name, lost }, 'the copy of the audit log is written again');
      },
    });
    return { queue, textOf, close: () => undefined };
  }
}

const lineOf = (entry: AuditEntry): string => `${JSON.stringify(entry)}\n`;

/** Opens the file each time, so that it can be renamed. */
const fileSink =
  (path: string): Send =>
  (lines) =>
    appendFile(path, lines.join(''), { mode: 0o600 });
